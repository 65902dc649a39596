import { BidsOpened } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import type { Deps } from '../deps.ts';

/** The bids of tenders were opened: their documents become public and are told (http.md 2.7). Told again, nothing happens. */
export function onBidsOpened({ documents }: Pick<Deps, 'documents'>): Subscription {
  return {
    stream: streams.bids,
    filter: 'bids.bid-opened.*',
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
