import { AuctionFinished, AuctionResults } from '@procurement/contracts/events/auction.events';
import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { readKeys } from '@procurement/kit/database/read-keys';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from '../deps.ts';
import { RESULT_KEYS } from '../store/fact-sources.ts';
import { requestOwner } from './request-owner.ts';
import { triggeringEvents } from './triggering-events.ts';

const REMOVE_RESULTS = `DELETE FROM bidding_result USING unnest($1::text[]) AS gone (key)
  WHERE tender_id = split_part(key, '/', 1) AND lot_id = split_part(key, '/', 2)`;

/**
 * Gives bids their final values after an auction (architecture.md, handshake 2). The event has no amounts, because auctions of
 * other lots may still run; they are requested from the auction service.
 */
export function onAuctionFinished({ auctions, bus }: Pick<Deps, 'auctions' | 'bus'>): Subscription {
  return {
    stream: streams.auction,
    durable: 'bids--auction-finished',
    filter: 'auction.auction-finished.*',
    factType: 'auction.finished',
    copies: {
      keys: async (db, after, max) => readKeys(db, RESULT_KEYS, [after, max]),
      async remove(tx, keys) {
        await tx.query(REMOVE_RESULTS, [keys]);
      },
    },
    async apply(tx, events) {
      for (const trigger of triggeringEvents(events, 'auction.finished', AuctionFinished)) {
        const { id, lot, at } = trigger.data;
        const results = await requestOwner(bus, rpcSubjects.auctionResults, { id, lot }, AuctionResults);
        await auctions.applyResults(tx, { ...trigger, at }, results);
      }
    },
  };
}
