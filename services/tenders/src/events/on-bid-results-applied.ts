import { BidResultsApplied } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';
import { externalInputSubscription } from './external-input-subscription.ts';

/** Ends an auction once the bids have its results, so that bids are never opened before (architecture.md, handshake 2). */
export function onBidResultsApplied(externalInputs: ExternalInputsStore): Subscription {
  const durable = 'tenders--bid-results-applied';
  const filter = 'bids.bid-results-applied.*';
  const declaration = { stream: streams.bids, durable, filter, factType: 'bid.results-applied' };
  return externalInputSubscription(externalInputs, declaration, (event) => {
    const { id, lot, at } = BidResultsApplied.parse(event.data);
    return { id, input: { type: 'EndAuction', held: { lot, at } } };
  });
}
