import { toJsonText } from '@procurement/contracts/json-text';
import type { BidState } from '../domain/bid.ts';

/** A bid as its owner, and after the opening everybody, sees it: all but who owns it (bids-awards-auction.md 1.5). */
export function bidView(bid: BidState): string {
  return toJsonText(bid.document);
}
