import type { Actor } from '@procurement/contracts/api/actor';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { BiddingPhase, BidSettings, BidState } from './bid.ts';

/**
 * What anyone but its owner may see of a bid: `open` everything, `sealed` nothing, `early` nothing either, but where no bid
 * exists the list is empty instead of refused. `gone`: for nobody there is a bid.
 */
export type Visibility = 'early' | 'sealed' | 'open' | 'gone';

/** By tender status (bids-awards-auction.md 1.5). A cancelled tender shows bids only if they had been opened before. */
const BY_TENDER_STATUS: ReadonlyMap<string, Visibility | 'open if opened'> = new Map([
  ['draft', 'early'],
  ['active.enquiries', 'early'],
  ['active.tendering', 'sealed'],
  ['active.auction', 'sealed'],
  ['active.qualification', 'open'],
  ['active.awarded', 'open'],
  ['complete', 'open'],
  ['unsuccessful', 'open'],
  ['cancelled', 'open if opened'],
]);

/** Who looks at the bids of one tender, and what this service knows of both. */
export interface ViewerContext {
  readonly tenderStatus: string;
  readonly phase: BiddingPhase;
  readonly actor: Actor;
  readonly settings: BidSettings;
}

/**
 * A status that this version does not know is sealed: the mistake that can be repaired. Where older segments run without
 * guards (rulings R3) they read bids in any status that is not final; segment 2.5 never does.
 */
export function visibilityOf({ tenderStatus, phase, actor, settings }: ViewerContext): Visibility {
  const byStatus = BY_TENDER_STATUS.get(tenderStatus) ?? 'sealed';
  // The word of the tender's cancellation and the erasure of its bids arrive apart; between the two nothing may show.
  if (byStatus === 'open if opened') return phase === 'opened' ? 'open' : 'gone';
  return settings.legacyGuardsOpen && actor.segment !== '2.5' ? 'open' : byStatus;
}

/** The bids of a tender that anyone sees, or the refusal. Drafts are nobody's business but their owner's. */
export function visibleBids(
  viewer: ViewerContext,
  bids: readonly BidState[],
): readonly BidState[] | { readonly refused: Problem } {
  const visibility = visibilityOf(viewer);
  if (visibility === 'gone') return [];
  if (visibility === 'open') return bids.filter((bid) => bid.document.status !== 'draft');
  if (visibility === 'early' && bids.length === 0) return [];
  return { refused: problem('bid.list-sealed', { status: viewer.tenderStatus }) };
}

/** Why this caller does not see this bid; undefined when it may be shown whole. */
export function bidVisibilityRefusal(viewer: ViewerContext, bid: BidState, owns: boolean): Problem | undefined {
  const visibility = visibilityOf(viewer);
  if (visibility === 'gone') return problem('object.not-found', { kind: 'bid' });
  if (owns || (visibility === 'open' && bid.document.status !== 'draft')) return undefined;
  return problem('bid.sealed', { status: viewer.tenderStatus });
}
