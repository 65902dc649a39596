import { isWritable, type Draft, type StateName } from '../domain/draft.ts';
import { findRedacted } from '../store/leaf.store.ts';
import type { RedactionPage } from './ask-redactions.ts';
import type { WriterDeps } from './deps.ts';

/** Entries of redactions, and how far they were read. */
export interface RedactionPlan {
  readonly drafts: readonly Draft[];
  /** Id of the last one before the first that waits; undefined when there is none. */
  readonly redaction: number | undefined;
  /** Why one cannot be logged. */
  readonly problem: string | undefined;
}

/**
 * Plans the entries of redactions. One that cannot be logged waits: it is read again with all after it, and those of the same state wait
 * for it, because of several the last counts. So does one of a state that tenders has published after `position`. Those of states that
 * the log does not have are passed over, and so are those that it has already.
 */
export async function planRedactions(
  { pool, blindKey }: Pick<WriterDeps, 'pool' | 'blindKey'>,
  {
    drafts: added,
    position,
    page: { redactions, unreadableAfter },
  }: { readonly drafts: readonly Draft[]; readonly position: number; readonly page: RedactionPage },
): Promise<RedactionPlan> {
  const drafts: Draft[] = [];
  const waiting = new Set<string>();
  let redaction: number | undefined;
  let problem = unreadableAfter === undefined ? undefined : `the redaction after ${unreadableAfter} cannot be read`;
  for (const { id, ...named } of redactions) {
    const draft = { kind: 'redaction', ...named } as const;
    const canBeLogged = isWritable(draft);
    if (!canBeLogged) problem ??= `redaction ${id} is none that an entry can say`;
    if (!canBeLogged || named.position > position || waiting.has(formatKey(named))) {
      waiting.add(formatKey(named));
      continue;
    }
    if (waiting.size === 0) redaction = id;
    const isAdded = added.some((one) => one.kind === 'publication' && formatKey(one) === formatKey(named));
    const { isLogged, isRedacted } = await findRedacted(pool, draft, blindKey);
    if ((isAdded || isLogged) && !isRedacted) drafts.push(draft);
  }
  return { drafts, redaction, problem };
}

function formatKey({ tender, rev, position }: StateName): string {
  return `${tender} ${rev} ${position}`;
}
