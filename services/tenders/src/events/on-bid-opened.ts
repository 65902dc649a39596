import { BidsOpened } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';
import { externalInputSubscription } from './external-input-subscription.ts';

/** Stores opened bids with their final values. They are shown together with the first awards (architecture.md, handshake 2). */
export function onBidOpened(externalInputs: ExternalInputsStore): Subscription {
  const filter = 'bids.bid-opened.*';
  const declaration = { stream: streams.bids, durable: 'tenders--bid-opened', filter, factType: 'bid.opened' };
  return externalInputSubscription(externalInputs, declaration, (event) => {
    const { id, bids, seal } = BidsOpened.parse(event.data);
    return { id, input: { type: 'OpenBids', bids, seal } };
  });
}
