import { z } from 'zod';

/** What others may know of a bid while it is sealed. Never an amount, never a name of the bidder. */
export const BidRegistered = z.object({
  id: z.string(),
  tenderId: z.string(),
  version: z.int(),
  status: z.string(),
  /** Broker that posted it, and the hash of its token: documents and complaints of the bidder are judged by them. */
  owner: z.string(),
  ownerTokenHash: z.string(),
  lots: z.array(z.string()),
});
export type BidRegistered = z.infer<typeof BidRegistered>;

export const bidEvents = { 'bid.registered': { schema: 'bid.registered/1', data: BidRegistered } } as const;
