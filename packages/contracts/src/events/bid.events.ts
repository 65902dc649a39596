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

/** A bid of the sealed set: that it takes part, and in which lots. */
export const SealedBid = z.object({ id: z.string(), lots: z.array(z.string()) });
export type SealedBid = z.infer<typeof SealedBid>;

/** A tender was closed: exactly these bids take part, in the order of registration; drafts are gone. */
export const BidSetSealed = z.object({
  /** Of the tender. */
  id: z.string(),
  bids: z.array(SealedBid),
});
export type BidSetSealed = z.infer<typeof BidSetSealed>;

/** The bids of a tender were opened: from here on they are public, with their final values. */
export const BidsOpened = z.object({
  /** Of the tender. */
  id: z.string(),
  /** As anyone sees them, in the order of registration. */
  bids: z.array(z.looseObject({ id: z.string() })),
});
export type BidsOpened = z.infer<typeof BidsOpened>;

export const bidEvents = {
  'bid.registered': { schema: 'bid.registered/1', data: BidRegistered },
  'bid.changed': { schema: 'bid.changed/1', data: BidRegistered },
  'bid.withdrawn': { schema: 'bid.withdrawn/1', data: BidRegistered },
  'bid.set-sealed': { schema: 'bid.set-sealed/1', data: BidSetSealed },
  'bid.opened': { schema: 'bid.opened/1', data: BidsOpened },
} as const;
