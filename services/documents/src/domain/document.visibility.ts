import { isUnfinished } from '@procurement/domain/tender-status';
import type { Actor } from '@procurement/contracts/api/actor';
import { parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import { problem, type Problem, allowing } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { tenderTime } from '@procurement/domain/tender-time';
import { ownsParent } from './document.roles.ts';
import type { DocumentSettings, ParentState } from './document.ts';

/** Statuses of a tender in which its bids are public (bids-awards-auction.md 1.5). */
const OPEN_STATUSES: ReadonlySet<string> = new Set([
  'active.qualification',
  'active.awarded',
  'complete',
  'unsuccessful',
]);

/**
 * Whether the bids of a tender are public: by its status, or because they were opened and the copy of the tender lags. An unknown
 * status hides them: showing too little can be corrected later.
 */
export function bidsAreOpen(tenderStatus: string, bidsOpened: boolean): boolean {
  return bidsOpened || OPEN_STATUSES.has(tenderStatus);
}

/** Statuses in which a tender takes bids, or will (tenders.md 8.1). */
const BEFORE_CLOSING: ReadonlySet<string> = new Set(['draft', 'active.enquiries', 'active.tendering']);

/**
 * Whether the bids of a tender can have been opened, by the copy of the tender: its bidding has ended, by status or by the clock
 * (the copy of the status may lag). Before that no message of another service makes a file of a bid public.
 */
export function canBeOpened(
  { status, tenderPeriod, clockShift }: Pick<TenderFacts, 'status' | 'tenderPeriod' | 'clockShift'>,
  now: Instant,
): boolean {
  if (!BEFORE_CLOSING.has(status)) return true;
  const end = tenderPeriod?.endDate;
  return end !== undefined && tenderTime(now, { clockShift }) >= parseInstant(end);
}

/** Whether the documents of this parent are public: all but those of sealed bids, and of bids that take no part. */
export function isPublic({ tender, parent, status, bidsOpened }: ParentState): boolean {
  return parent.kind !== 'bid' || (bidsAreOpen(tender.status, bidsOpened) && status === 'active');
}

export interface Viewer {
  readonly actor: Actor;
  readonly settings: DocumentSettings;
}

/**
 * 403 for a caller who may not see the documents of this parent (http.md 2.7), with the text for a list or for one record. With
 * open guards older segments read documents of bids of any tender that is not over (rulings R3).
 */
export function visibilityRefusal(
  parentState: ParentState,
  { actor, settings }: Viewer,
  scope: 'list' | 'document',
): Problem | undefined {
  if (isPublic(parentState) || ownsParent(parentState, actor)) return undefined;
  const { status } = parentState.tender;
  const isUnguarded = settings.legacyGuardsOpen && actor.segment !== '2.5' && isUnfinished(status);
  if (isUnguarded && parentState.status !== 'draft') return undefined;
  const refusal = problem(scope === 'list' ? 'document.list-sealed' : 'document.sealed', { status });
  // By the tender alone: whether a sealed bid takes part is not told.
  return bidsAreOpen(status, parentState.bidsOpened)
    ? refusal
    : allowing(refusal, { allowedStatuses: [...OPEN_STATUSES] });
}
