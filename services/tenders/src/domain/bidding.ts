import type { SealedBid } from '@procurement/contracts/events/bid.events';
import type { Bidding } from './tender.ts';

/** The bids that take part; none before the bids are sealed. */
function sealedBids(bidding: Bidding): readonly SealedBid[] {
  return 'bids' in bidding ? bidding.bids : [];
}

/** The number of bids that compete in an auction: of the tender, or of one lot. */
export function bidCount(bidding: Bidding, lot?: string): number {
  const bids = sealedBids(bidding);
  return lot === undefined ? bids.length : bids.filter((bid) => bid.lots.includes(lot)).length;
}
