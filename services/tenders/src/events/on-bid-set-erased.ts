import { BidSetErased } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import { endWaits } from '@procurement/kit/messaging/request/flow-waits';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';

/** Ends the wait for the erasure of bids after a cancellation. It is final, so it answers every version. */
export const onBidSetErased: Subscription = {
  stream: streams.bids,
  durable: 'tenders--bid-set-erased',
  filter: 'bids.bid-set-erased.*',
  async apply(tx, events) {
    const ids = events.map((event) => BidSetErased.parse(event.data).id);
    await endWaits(
      tx,
      ids.map((id) => ({ flow: 'erasure', id, version: Number.MAX_SAFE_INTEGER })),
    );
  },
};
