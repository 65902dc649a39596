import { isFinal } from '@procurement/domain/tender-status';
import type { Actor } from '@procurement/contracts/api/actor';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { ownsParent } from './document.roles.ts';
import type { DocumentSettings, ParentState } from './document.ts';

/** Statuses of a tender whose bids everybody may see (bids-awards-auction.md 1.5). */
const OPEN_STATUSES: ReadonlySet<string> = new Set([
  'active.qualification',
  'active.awarded',
  'complete',
  'unsuccessful',
]);

/**
 * Whether the bids of a tender are open: by its status, or because they were opened and it merely does not show yet. A status
 * that this version does not know seals, which is the mistake that can be repaired.
 */
export function bidsAreOpen(tenderStatus: string, bidsOpened: boolean): boolean {
  return bidsOpened || OPEN_STATUSES.has(tenderStatus);
}

/** Whether everybody may see the documents of this place: all but those of bids that are sealed, or drafts still. */
export function isPublic({ tender, parent, status, bidsOpened }: ParentState): boolean {
  return parent.kind !== 'bid' || (bidsAreOpen(tender.status, bidsOpened) && status !== 'draft');
}

export interface Viewer {
  readonly actor: Actor;
  readonly settings: DocumentSettings;
}

/**
 * Why this caller does not see the documents of this place (http.md 2.7): 403 of a list, or of one record and its file. Older
 * segments without guards read bids in any status that is not final (rulings R3).
 */
export function visibilityRefusal(
  parentState: ParentState,
  { actor, settings }: Viewer,
  scope: 'list' | 'document',
): Problem | undefined {
  if (isPublic(parentState) || ownsParent(parentState, actor)) return undefined;
  const { status } = parentState.tender;
  const isUnguarded = settings.legacyGuardsOpen && actor.segment !== '2.5' && !isFinal(status);
  if (isUnguarded && parentState.status !== 'draft') return undefined;
  return problem(scope === 'list' ? 'document.list-sealed' : 'document.sealed', { status });
}
