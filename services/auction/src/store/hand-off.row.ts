import { AuctionResult, type AuctionResults } from '@procurement/contracts/events/auction.events';
import { z } from 'zod';
import type { Addresses, AuctionRef } from '../domain/hand-off.ts';
import { NO_LOT } from './plans.row.ts';

/** Stands for "no bid" in the key of an address that everybody may know. */
export const NO_BID = '';

// Rows are untrusted input like any other.
const AddressRow = z.object({ lotId: z.string(), bidId: z.string(), url: z.string() });
const ResultRow = z.object({ results: z.string() });

/** No lot where the key says so. */
export function auctionRef(lotId: string): AuctionRef {
  return lotId === NO_LOT ? {} : { lot: lotId };
}

/** The addresses of one tender from their rows. */
export function readAddresses(given: readonly unknown[]): Addresses {
  const rows = z.array(AddressRow).parse(given);
  return {
    auctions: rows
      .filter(({ bidId }) => bidId === NO_BID)
      .map(({ lotId, url }) => ({ ...auctionRef(lotId), auctionUrl: url })),
    bids: rows
      .filter(({ bidId }) => bidId !== NO_BID)
      .map(({ lotId, bidId, url }) => ({ ...auctionRef(lotId), id: bidId, participationUrl: url })),
  };
}

/** The results in a row; undefined without one. */
export function readResults(tenderId: string, { lot }: AuctionRef, row: unknown): AuctionResults | undefined {
  if (row === undefined) return undefined;
  const results = z.array(AuctionResult).parse(JSON.parse(ResultRow.parse(row).results));
  return { id: tenderId, ...(lot === undefined ? {} : { lot }), results };
}
