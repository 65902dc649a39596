import type { BidEvent, BidState } from './bid.ts';

/**
 * Applies an event to a bid. A withdrawn bid keeps its content for the audit trail; the store marks its row as deleted
 * (bids-awards-auction.md 1.2). Throws when the event requires a bid and there is none.
 */
export function evolveBid(before: BidState | undefined, event: BidEvent): BidState {
  if (event.type === 'BidRegistered') return event.bid;
  if (before === undefined) throw new Error(`${event.type} requires an existing bid`);
  const after = { ...before, version: before.version + 1 };
  switch (event.type) {
    case 'BidChanged':
      return { ...after, status: event.document.status, document: event.document };
    case 'BidOwnerChanged': {
      const { owner, tokenHash: ownerTokenHash, transferHash } = event.owner;
      return { ...after, owner, ownerTokenHash, transferHash };
    }
    case 'BidWithdrawn':
      return after;
    default:
      return event satisfies never;
  }
}
