import { AuctionFinished, AuctionResults } from '@procurement/contracts/events/auction.events';
import { askSubjects, streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/subscription';
import type { Deps } from '../deps.ts';
import { askedAuction } from './asked-auction.ts';
import { causesOf } from './causes.ts';

/**
 * An auction is over: bids get the values that they came out with (architecture.md, handshake 2). The event tells no
 * amounts, since other lots may still run; they are asked for.
 */
export function onAuctionFinished({ auctions, bus }: Pick<Deps, 'auctions' | 'bus'>): Subscription {
  return {
    stream: streams.auction,
    durable: 'bids--auction-finished',
    filter: 'auction.auction-finished.*',
    async apply(tx, events) {
      for (const cause of causesOf(events, 'auction.finished', AuctionFinished)) {
        const { id, lot, at } = cause.data;
        const results = await askedAuction(bus, askSubjects.auctionResults, { id, lot }, AuctionResults);
        await auctions.applyResults(tx, { ...cause, at }, results);
      }
    },
  };
}
