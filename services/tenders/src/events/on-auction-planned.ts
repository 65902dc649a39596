import { AuctionPlanned } from '@procurement/contracts/events/auction.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/subscription';
import type { FactsStore } from '../store/facts.store.ts';
import { following } from './following.ts';

/** An auction's place in the plan (tenders.md 9.3). */
export function onAuctionPlanned(facts: FactsStore): Subscription {
  const declaration = {
    stream: streams.auction,
    durable: 'tenders--auction-planned',
    filter: 'auction.auction-planned.*',
  };
  return following(facts, declaration, (event) => {
    const { id, lot, startDate } = AuctionPlanned.parse(event.data);
    return { id, fact: { type: 'PlanAuction', lot, startDate } };
  });
}
