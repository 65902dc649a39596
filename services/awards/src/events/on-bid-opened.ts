import { BidsOpened } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';

/** The bids of a tender are public, with their final values: the best are awarded (bids-awards-auction.md 3.3). */
export function onBidOpened(externalInputs: ExternalInputsStore): Subscription {
  return {
    stream: streams.bids,
    durable: 'awards--bid-opened',
    filter: 'bids.bid-opened.*',
    async apply(tx, events) {
      await externalInputs.applyOpenedBids(
        tx,
        events.map((event) => ({ opened: BidsOpened.parse(event.data), correlationId: event.correlationid })),
      );
    },
  };
}
