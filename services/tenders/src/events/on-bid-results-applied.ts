import { BidResultsApplied } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/subscription';
import type { FactsStore } from '../store/facts.store.ts';
import { following } from './following.ts';

/** An auction is over and the bids have its values: nothing is opened before (architecture.md, handshake 2). */
export function onBidResultsApplied(facts: FactsStore): Subscription {
  const durable = 'tenders--bid-results-applied';
  const declaration = { stream: streams.bids, durable, filter: 'bids.bid-results-applied.*' };
  return following(facts, declaration, (event) => {
    const { id, lot, at } = BidResultsApplied.parse(event.data);
    return { id, fact: { type: 'EndAuction', held: { lot, at } } };
  });
}
