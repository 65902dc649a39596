import { z } from 'zod';

/** An auction has its place in the plan: of the tender, or of one lot (tenders.md 9.3). */
export const AuctionPlanned = z.object({
  /** Of the tender. */
  id: z.string(),
  lot: z.string().optional(),
  startDate: z.string(),
});
export type AuctionPlanned = z.infer<typeof AuctionPlanned>;

/**
 * Addresses of an auction were published. Those of the bidders hold their secrets: whoever shows them to their owners asks
 * for them (`ask.auction.urls`).
 */
export const AuctionUrlsPublished = z.object({
  /** Of the tender. */
  id: z.string(),
  lot: z.string().optional(),
  auctionUrl: z.string().optional(),
});
export type AuctionUrlsPublished = z.infer<typeof AuctionUrlsPublished>;

/**
 * The results of an auction are recorded. Amounts are not told: while other lots run they are sealed, and whoever keeps the
 * bids asks for them (`ask.auction.results`).
 */
export const AuctionFinished = z.object({
  /** Of the tender. */
  id: z.string(),
  lot: z.string().optional(),
  /** Time of the tender at which they were reported. */
  at: z.string(),
});
export type AuctionFinished = z.infer<typeof AuctionFinished>;

export const auctionEvents = {
  'auction.planned': { schema: 'auction.planned/1', data: AuctionPlanned },
  'auction.urls-published': { schema: 'auction.urls-published/1', data: AuctionUrlsPublished },
  'auction.finished': { schema: 'auction.finished/1', data: AuctionFinished },
} as const;

/** One bid's part in the results: its last amount and when it was made; absent members keep what the bid has. */
export const AuctionResult = z.object({
  /** Of the bid. */
  id: z.string(),
  amount: z.number().optional(),
  date: z.string().optional(),
});
export type AuctionResult = z.infer<typeof AuctionResult>;

/** The answer to `ask.auction.results` about one auction: in the order of the sealed set. */
export const AuctionResults = z.object({ id: z.string(), lot: z.string().optional(), results: z.array(AuctionResult) });
export type AuctionResults = z.infer<typeof AuctionResults>;

/** The answer to `ask.auction.urls` about one tender: what each bidder's link is, by lot where there are lots. */
export const AuctionUrls = z.object({
  id: z.string(),
  bids: z.array(z.object({ id: z.string(), lot: z.string().optional(), participationUrl: z.string() })),
});
export type AuctionUrls = z.infer<typeof AuctionUrls>;
