import { toJsonText } from '@procurement/contracts/json-text';
import type { BidState } from '../domain/bid.ts';

/** A bid as its owner, and after the opening everybody, sees it: all but who owns it (bids-awards-auction.md 1.5). */
export function bidView(bid: BidState): string {
  return toJsonText(bid.document);
}

/**
 * The answer to a change by somebody who may not see the bid: the Administrator corrects who the bidder is, and learns
 * nothing of what is offered.
 */
export function sealedBidView({ document }: BidState): string {
  const { id, date, status, tenderers } = document;
  return toJsonText({ id, date, status, tenderers });
}
