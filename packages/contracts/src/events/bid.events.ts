import { z } from 'zod';
import { openEnum } from './open-enums.ts';

/** The public part of a sealed bid: no amount, no name of the bidder. */
export const BidRegistered = z.object({
  id: z.string(),
  tenderId: z.string(),
  version: z.int(),
  status: openEnum('bid status'),
  /** Broker that posted the bid, and the hash of its owner token. They authorise the bidder's documents and complaints. */
  owner: z.string(),
  ownerTokenHash: z.string(),
  lots: z.array(z.string()),
});
export type BidRegistered = z.infer<typeof BidRegistered>;

/** A participating bid of the sealed set, and its lots. */
export const SealedBid = z.object({ id: z.string(), lots: z.array(z.string()) });
export type SealedBid = z.infer<typeof SealedBid>;

/** The seal of the bids of a tender (docs/spec/proof.md 5.1). Absent where bids are not encrypted. */
export const BidsSealFact = z.object({
  /** Time of the closing, in the tender's time. */
  at: z.string(),
  /** SHA-256 of the text of the seal, in hex. */
  hash: z.string(),
});
export type BidsSealFact = z.infer<typeof BidsSealFact>;

/** A tender was closed: exactly these bids participate, in the order of registration. Drafts are deleted. */
export const BidSetSealed = z.object({
  /** Id of the tender. */
  id: z.string(),
  bids: z.array(SealedBid),
  seal: BidsSealFact.optional(),
});
export type BidSetSealed = z.infer<typeof BidSetSealed>;

/** The bids of a tender were opened: they are public from now on, with their final values. */
export const BidsOpened = z.object({
  /** Id of the tender. */
  id: z.string(),
  /** Their public view, in the order of registration. */
  bids: z.array(z.looseObject({ id: z.string() })),
  /** As in `bid.set-sealed`; also of a tender that was opened without having been closed. */
  seal: BidsSealFact.optional(),
});
export type BidsOpened = z.infer<typeof BidsOpened>;

/** The bids of a cancelled tender were erased before they were opened: the answer to `tender.cancelled`. */
export const BidSetErased = z.object({
  /** Id of the tender. */
  id: z.string(),
});
export type BidSetErased = z.infer<typeof BidSetErased>;

/** The values of an auction were stored in the bids, which stay sealed. */
export const BidResultsApplied = z.object({
  /** Id of the tender. */
  id: z.string(),
  lot: z.string().optional(),
  /** Tender time at which the results were reported. */
  at: z.string(),
});
export type BidResultsApplied = z.infer<typeof BidResultsApplied>;

/** Response to `ask.bids.links`: the version of the auction's links that the bids have; null before the first. */
export const BidLinks = z.object({ version: z.int().nullable() });
export type BidLinks = z.infer<typeof BidLinks>;

/** A bid for the auction, with amounts: response to `ask.bids.sealed` (bids-awards-auction.md 2.2). */
export const AuctionedBid = z.looseObject({
  id: z.string(),
  date: z.string(),
  value: z.looseObject({ amount: z.number() }).optional(),
  lotValues: z.array(z.looseObject({ relatedLot: z.string(), date: z.string().optional() })).optional(),
  parameters: z.array(z.object({ code: z.string(), value: z.number() })).optional(),
});
export type AuctionedBid = z.infer<typeof AuctionedBid>;

export const bidEvents = {
  'bid.registered': { schema: 'bid.registered/1', data: BidRegistered },
  'bid.changed': { schema: 'bid.changed/1', data: BidRegistered },
  'bid.withdrawn': { schema: 'bid.withdrawn/1', data: BidRegistered },
  'bid.set-sealed': { schema: 'bid.set-sealed/1', data: BidSetSealed },
  'bid.results-applied': { schema: 'bid.results-applied/1', data: BidResultsApplied },
  'bid.set-erased': { schema: 'bid.set-erased/1', data: BidSetErased },
  'bid.opened': { schema: 'bid.opened/1', data: BidsOpened },
} as const;
