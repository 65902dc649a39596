import { z } from 'zod';

/** An auction has its place in the plan: of the tender, or of one lot (tenders.md 9.3). */
export const AuctionPlanned = z.object({
  /** Of the tender. */
  id: z.string(),
  lot: z.string().optional(),
  startDate: z.string(),
});
export type AuctionPlanned = z.infer<typeof AuctionPlanned>;

export const auctionEvents = { 'auction.planned': { schema: 'auction.planned/1', data: AuctionPlanned } } as const;
