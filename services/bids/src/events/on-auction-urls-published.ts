import { AuctionUrls, AuctionUrlsPublished } from '@procurement/contracts/events/auction.events';
import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from '../deps.ts';
import { requestOwner } from './request-owner.ts';
import { triggeringEvents } from './triggering-events.ts';

/** Puts each bidder's link into their bid after the addresses of an auction were published (bids-awards-auction.md 2.3). */
export function onAuctionUrlsPublished({ auctions, bus }: Pick<Deps, 'auctions' | 'bus'>): Subscription {
  return {
    stream: streams.auction,
    durable: 'bids--auction-urls-published',
    filter: 'auction.auction-urls-published.*',
    factType: 'auction.urls-published',
    async apply(tx, events) {
      for (const { data } of triggeringEvents(events, 'auction.urls-published', AuctionUrlsPublished)) {
        await auctions.applyLinks(tx, await requestOwner(bus, rpcSubjects.auctionUrls, { id: data.id }, AuctionUrls));
      }
    },
  };
}
