import type { Draft } from '../domain/draft.ts';
import { findRedacted } from '../store/leaf.store.ts';
import type { Redaction } from './ask-redactions.ts';
import type { WriterDeps } from './deps.ts';

/** Entries of redactions, and the id of the last one that was read; undefined when none was. */
export interface RedactionPlan {
  readonly drafts: readonly Draft[];
  readonly redaction: number | undefined;
}

/**
 * The entries of redactions, up to the first of a state that tenders has published after `position`: it waits until that is in the log.
 * Redactions of states that the log does not have are passed over, and so are those that it has already (after a restore of the database).
 */
export async function planRedactions(
  { pool, blindKey }: Pick<WriterDeps, 'pool' | 'blindKey'>,
  {
    drafts: added,
    position,
    redactions,
  }: { readonly drafts: readonly Draft[]; readonly position: number; readonly redactions: readonly Redaction[] },
): Promise<RedactionPlan> {
  const drafts: Draft[] = [];
  let last: number | undefined;
  for (const { id, ...named } of redactions) {
    if (named.position > position) break;
    last = id;
    const draft = { kind: 'redaction', ...named } as const;
    const isAdded = added.some((one) => one.kind === 'publication' && one.position === named.position);
    const { isLogged, isRedacted } = await findRedacted(pool, draft, blindKey);
    if ((isAdded || isLogged) && !isRedacted) drafts.push(draft);
  }
  return { drafts, redaction: last };
}
