import { z } from 'zod';

/**
 * Grows with each fact of one auction: of the tender, or of one lot. A fact with a version that is not greater than the last
 * one of its type is late, and is ignored.
 */
const factVersion = z.int();

/** The start of an auction was planned, for a tender or for one lot (tenders.md 9.3). */
export const AuctionPlanned = z.object({
  /** Id of the tender. */
  id: z.string(),
  lot: z.string().optional(),
  startDate: z.string(),
  version: factVersion,
});
export type AuctionPlanned = z.infer<typeof AuctionPlanned>;

/**
 * Addresses of an auction were published. The participation links contain secrets, so they are not in the event: the service
 * that shows them to the bidders requests them (`ask.auction.urls`).
 */
export const AuctionUrlsPublished = z.object({
  /** Id of the tender. */
  id: z.string(),
  lot: z.string().optional(),
  auctionUrl: z.string().optional(),
  version: factVersion,
});
export type AuctionUrlsPublished = z.infer<typeof AuctionUrlsPublished>;

/**
 * The results of an auction are recorded. The event has no amounts, because they are sealed while auctions of other lots run:
 * bids requests them (`ask.auction.results`).
 */
export const AuctionFinished = z.object({
  /** Id of the tender. */
  id: z.string(),
  lot: z.string().optional(),
  /** Tender time of the report. */
  at: z.string(),
  version: factVersion,
});
export type AuctionFinished = z.infer<typeof AuctionFinished>;

export const auctionEvents = {
  'auction.planned': { schema: 'auction.planned/1', data: AuctionPlanned },
  'auction.urls-published': { schema: 'auction.urls-published/1', data: AuctionUrlsPublished },
  'auction.finished': { schema: 'auction.finished/1', data: AuctionFinished },
} as const;

/** Result of one bid: its last amount and the time of that offer. An absent member keeps the bid's value. */
export const AuctionResult = z.object({
  /** Id of the bid. */
  id: z.string(),
  amount: z.number().optional(),
  date: z.string().optional(),
});
export type AuctionResult = z.infer<typeof AuctionResult>;

/** Response to `ask.auction.results` for one auction, in the order of the sealed set. */
export const AuctionResults = z.object({ id: z.string(), lot: z.string().optional(), results: z.array(AuctionResult) });
export type AuctionResults = z.infer<typeof AuctionResults>;

/** Response to `ask.auction.urls` for one tender: the participation link of each bid, per lot if there are lots. */
export const AuctionUrls = z.object({
  id: z.string(),
  /** Grows with each fact of the tender's auctions, so an older reply never overwrites a newer one. */
  version: z.int(),
  bids: z.array(z.object({ id: z.string(), lot: z.string().optional(), participationUrl: z.string() })),
});
export type AuctionUrls = z.infer<typeof AuctionUrls>;
