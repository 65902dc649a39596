import { AuctionResult, type AuctionResults } from '@procurement/contracts/events/auction.events';
import { z } from 'zod';
import type { Addresses, AuctionRef } from '../domain/hand-off.ts';
import { NO_LOT } from './plans.row.ts';

/** "No bid" in the key: the public address of an auction. */
export const NO_BID = '';

// Rows are untrusted input.
const AddressRow = z.object({ lotId: z.string(), bidId: z.string(), url: z.string() });
const ReportRow = z.object({ results: z.string(), at: z.string() });

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

/** Parses the reported results of an auction, with the time of the report. */
export function readReport(
  tenderId: string,
  { lot }: AuctionRef,
  row: unknown,
): { readonly results: AuctionResults; readonly at: string } {
  const { results: text, at } = ReportRow.parse(row);
  const results = z.array(AuctionResult).parse(JSON.parse(text));
  return { results: { id: tenderId, ...(lot === undefined ? {} : { lot }), results }, at };
}
