import { AuctionPlanned } from '@procurement/contracts/events/auction.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';
import { externalInputSubscription } from './external-input-subscription.ts';

/** Sets the planned start of an auction (tenders.md 9.3). */
export function onAuctionPlanned(externalInputs: ExternalInputsStore): Subscription {
  const declaration = {
    stream: streams.auction,
    durable: 'tenders--auction-planned',
    filter: 'auction.auction-planned.*',
    factType: 'auction.planned',
  };
  return externalInputSubscription(externalInputs, declaration, (event) => {
    const { id, lot, startDate, version } = AuctionPlanned.parse(event.data);
    return { id, input: { type: 'PlanAuction', lot, startDate, version } };
  });
}
