import { AuctionUrlsPublished } from '@procurement/contracts/events/auction.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';
import { externalInputSubscription } from './external-input-subscription.ts';

/** Sets the address of an auction (bids-awards-auction.md 2.3). */
export function onAuctionPublished(externalInputs: ExternalInputsStore): Subscription {
  const durable = 'tenders--auction-urls-published';
  const filter = 'auction.auction-urls-published.*';
  const declaration = { stream: streams.auction, durable, filter, factType: 'auction.urls-published' };
  const subscription = externalInputSubscription(externalInputs, declaration, (event) => {
    const { id, lot, auctionUrl, version } = AuctionUrlsPublished.parse(event.data);
    return { id, input: { type: 'PublishAuction', lot, auctionUrl, version } };
  });
  // No ack: the publisher waits for the bids service, and reads the state of the tender itself.
  return { ...subscription, acksApplied: false };
}
