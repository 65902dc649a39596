import { AuctionFinished, AuctionResults } from '@procurement/contracts/events/auction.events';
import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from '../deps.ts';
import { requestOwner } from './request-owner.ts';
import { triggeringEvents } from './triggering-events.ts';

/**
 * Gives bids their final values after an auction (architecture.md, handshake 2). The event has no amounts, because auctions of
 * other lots may still run; they are requested from the auction service.
 */
export function onAuctionFinished({ auctions, bus }: Pick<Deps, 'auctions' | 'bus'>): Subscription {
  return {
    stream: streams.auction,
    durable: 'bids--auction-finished',
    filter: 'auction.auction-finished.*',
    facts: 'auction.finished',
    async apply(tx, events) {
      for (const trigger of triggeringEvents(events, 'auction.finished', AuctionFinished)) {
        const { id, lot, at } = trigger.data;
        const results = await requestOwner(bus, rpcSubjects.auctionResults, { id, lot }, AuctionResults);
        await auctions.applyResults(tx, { ...trigger, at }, results);
      }
    },
  };
}
