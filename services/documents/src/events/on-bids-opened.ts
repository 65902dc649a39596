import { BidsOpened } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from '../deps.ts';

/** Makes the documents of opened bids public and publishes them (http.md 2.7). A repeat has no effect. */
export function onBidsOpened({ documents }: Pick<Deps, 'documents'>): Subscription {
  return {
    stream: streams.bids,
    filter: 'bids.bid-opened.*',
    factType: 'bid.opened',
    durable: 'documents--bids-opened',
    async apply(tx, events) {
      const opened = events.filter((event) => event.type === 'bid.opened');
      const openings = opened.map((event) => ({
        tenderId: BidsOpened.parse(event.data).id,
        correlationId: event.correlationid,
      }));
      if (openings.length > 0) await documents.openBids(tx, openings);
    },
  };
}
