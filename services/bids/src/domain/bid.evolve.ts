import type { BidEvent, BidState } from './bid.ts';

/**
 * A bid after an event. A withdrawn one keeps its content for the audit trail; that it is gone is the store's to know
 * (bids-awards-auction.md 1.2). Never refuses; throws when something happens to a bid that does not exist.
 */
export function evolveBid(before: BidState | undefined, event: BidEvent): BidState {
  if (event.type === 'BidRegistered') return event.bid;
  if (before === undefined) throw new Error(`${event.type} of no bid`);
  const after = { ...before, version: before.version + 1 };
  return event.type === 'BidChanged' ? { ...after, document: event.document } : after;
}
