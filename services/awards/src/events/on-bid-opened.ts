import { BidsOpened } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';

/** Awards the best of the opened bids of a tender (bids-awards-auction.md 3.3). */
export function onBidOpened(externalInputs: ExternalInputsStore): Subscription {
  return {
    stream: streams.bids,
    durable: 'awards--bid-opened',
    filter: 'bids.bid-opened.*',
    factType: 'bid.opened',
    async apply(tx, events) {
      await externalInputs.applyOpenedBids(
        tx,
        events.map((event) => ({ opened: BidsOpened.parse(event.data), correlationId: event.correlationid })),
      );
    },
  };
}
