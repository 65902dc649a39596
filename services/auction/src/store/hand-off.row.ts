import { AuctionResult, type AuctionResults } from '@procurement/contracts/events/auction.events';
import { z } from 'zod';
import type { Addresses, AuctionRef } from '../domain/hand-off.ts';
import { NO_LOT } from './plans.row.ts';

/** "No bid" in the key: the public address of an auction. */
export const NO_BID = '';

// Rows are untrusted input.
const AddressRow = z.object({ lotId: z.string(), bidId: z.string(), url: z.string() });
const ResultRow = z.object({ results: z.string() });

/** The auction of a key column. */
export function auctionRef(lotId: string): AuctionRef {
  return lotId === NO_LOT ? {} : { lot: lotId };
}

/** Parses the rows of one tender. */
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

/** Parses the results in a row; undefined without a row. */
export function readResults(tenderId: string, { lot }: AuctionRef, row: unknown): AuctionResults | undefined {
  if (row === undefined) return undefined;
  const results = z.array(AuctionResult).parse(JSON.parse(ResultRow.parse(row).results));
  return { id: tenderId, ...(lot === undefined ? {} : { lot }), results };
}
