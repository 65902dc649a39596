import { AuctionUrlsPublished } from '@procurement/contracts/events/auction.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/subscription';
import type { FactsStore } from '../store/facts.store.ts';
import { following } from './following.ts';

/** Where an auction can be watched (bids-awards-auction.md 2.3). */
export function onAuctionPublished(facts: FactsStore): Subscription {
  const durable = 'tenders--auction-urls-published';
  const declaration = { stream: streams.auction, durable, filter: 'auction.auction-urls-published.*' };
  return following(facts, declaration, (event) => {
    const { id, lot, auctionUrl } = AuctionUrlsPublished.parse(event.data);
    return { id, fact: { type: 'PublishAuction', lot, auctionUrl } };
  });
}
