import type { Actor } from '@procurement/contracts/api/actor';
import { problem, type Problem, allowing } from '@procurement/contracts/problems/problems';
import type { BiddingPhase, BidSettings, BidState } from './bid.ts';

/**
 * Visibility of bids to callers other than their owner. `open`: visible. `sealed`: 403. `before-tendering`: 403, but an empty
 * list while there are no bids. `not-found`: 404 for everyone, the owner included.
 */
export type Visibility = 'before-tendering' | 'sealed' | 'open' | 'not-found';

/** Visibility by status of the tender (bids-awards-auction.md 1.5). A cancelled tender shows bids only if they were opened before. */
const BY_TENDER_STATUS: ReadonlyMap<string, Visibility | 'open-if-opened'> = new Map([
  ['draft', 'before-tendering'],
  ['active.enquiries', 'before-tendering'],
  ['active.tendering', 'sealed'],
  ['active.auction', 'sealed'],
  ['active.qualification', 'open'],
  ['active.awarded', 'open'],
  ['complete', 'open'],
  ['unsuccessful', 'open'],
  ['cancelled', 'open-if-opened'],
]);

const OPEN_STATUSES = [...BY_TENDER_STATUS].flatMap(([status, shown]) => (shown === 'open' ? [status] : []));

/** A caller who reads the bids of one tender, and the state of that tender. */
export interface ViewerContext {
  readonly tenderStatus: string;
  readonly phase: BiddingPhase;
  readonly actor: Actor;
  readonly settings: BidSettings;
}

/**
 * An unknown status of the tender hides its bids: showing too little can be corrected later. With open guards (rulings R3)
 * older segments read bids in any status that is not final; segment 2.5 never does.
 */
export function visibilityOf({ tenderStatus, phase, actor, settings }: ViewerContext): Visibility {
  const byStatus = BY_TENDER_STATUS.get(tenderStatus) ?? 'sealed';
  // The cancellation and the erasure arrive by separate events; between the two no bid may be visible.
  if (byStatus === 'open-if-opened') return phase === 'opened' ? 'open' : 'not-found';
  return settings.legacyGuardsOpen && actor.segment !== '2.5' ? 'open' : byStatus;
}

/** The bids of a tender that any caller may see, or the refusal. Drafts are visible to their owners only. */
export function visibleBids(
  viewer: ViewerContext,
  bids: readonly BidState[],
): readonly BidState[] | { readonly refused: Problem } {
  const visibility = visibilityOf(viewer);
  if (visibility === 'not-found') return [];
  if (visibility === 'open') return bids.filter((bid) => bid.status !== 'draft');
  if (visibility === 'before-tendering' && bids.length === 0) return [];
  const refused = problem('bid.list-sealed', { status: viewer.tenderStatus });
  return { refused: allowing(refused, { allowedStatuses: OPEN_STATUSES }) };
}

/** The refusal of a caller who may not see this bid; undefined when the whole bid may be shown. */
export function bidVisibilityRefusal(viewer: ViewerContext, bid: BidState, owns: boolean): Problem | undefined {
  const visibility = visibilityOf(viewer);
  if (visibility === 'not-found') return problem('object.not-found', { kind: 'bid' });
  if (owns || (visibility === 'open' && bid.status !== 'draft')) return undefined;
  const refusal = problem('bid.sealed', { status: viewer.tenderStatus });
  // By the tender alone: whether a sealed bid is a draft is not told.
  return visibility === 'open' ? refusal : allowing(refusal, { allowedStatuses: OPEN_STATUSES });
}
