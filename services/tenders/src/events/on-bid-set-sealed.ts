import { BidSetSealed } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';
import { externalInputSubscription } from './external-input-subscription.ts';

/** Applies the answer to `tender.tendering-ended`: exactly these bids take part (architecture.md, handshake 1). */
export function onBidSetSealed(externalInputs: ExternalInputsStore): Subscription {
  const filter = 'bids.bid-set-sealed.*';
  const declaration = { stream: streams.bids, durable: 'tenders--bid-set-sealed', filter, factType: 'bid.set-sealed' };
  return externalInputSubscription(externalInputs, declaration, (event) => {
    const { id, bids, seal } = BidSetSealed.parse(event.data);
    return { id, input: { type: 'SealBids', bids, seal } };
  });
}
