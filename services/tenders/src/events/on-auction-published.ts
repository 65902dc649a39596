import { AuctionUrlsPublished } from '@procurement/contracts/events/auction.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';
import { externalInputSubscription } from './external-input-subscription.ts';

/** Where an auction can be watched (bids-awards-auction.md 2.3). */
export function onAuctionPublished(externalInputs: ExternalInputsStore): Subscription {
  const durable = 'tenders--auction-urls-published';
  const declaration = { stream: streams.auction, durable, filter: 'auction.auction-urls-published.*' };
  const subscription = externalInputSubscription(externalInputs, declaration, (event) => {
    const { id, lot, auctionUrl } = AuctionUrlsPublished.parse(event.data);
    return { id, input: { type: 'PublishAuction', lot, auctionUrl } };
  });
  // Who publishes looks at the tender itself; it is the bids, each with its own link, whose word it waits for.
  return { ...subscription, acksApplied: false };
}
