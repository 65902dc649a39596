import { z } from 'zod';
import { list, model } from '../reading/composites.ts';
import { boolean, dateTime, float, hexId, text, url } from '../reading/scalars.ts';
import { Bid, LotValue } from './bid.ts';
import { Feature } from './feature.ts';
import { ignoredMember } from './ignored-member.ts';
import { Item } from './item.ts';
import { Lot } from './lot.ts';
import { multilingual } from './multilingual.ts';
import { AuctionPeriod, Period } from './period.ts';
import { Tender } from './tender.ts';
import { Value } from './value.ts';

/** Members of another shape, read and passed over: components send back what they have read, whole. */
function ignoredMembers<S extends z.ZodRawShape>(shape: S): Record<keyof S, typeof ignoredMember> {
  // The entries are made from the names of the shape, and from nothing else.
  return Object.fromEntries(Object.keys(shape).map((name) => [name, ignoredMember])) as Record<
    keyof S,
    typeof ignoredMember
  >;
}

/** An amount as it came out of an auction; what is left out stays as the bid has it. */
export const AuctionValueInput = model('Value', {
  amount: float({ min: { value: 0, printed: '0' } }).optional(),
  currency: text({ charactersMin: 3, charactersMax: 3 }).optional(),
  valueAddedTaxIncluded: boolean().optional(),
}).meta({ id: 'AuctionValueInput' });
export type AuctionValueInput = z.infer<typeof AuctionValueInput>;

export const AuctionLotValueInput = model('LotValue', {
  ...ignoredMembers(LotValue.shape),
  relatedLot: hexId().optional(),
  value: AuctionValueInput.optional(),
  date: dateTime().optional(),
  participationUrl: url().optional(),
}).meta({ id: 'AuctionLotValueInput' });
export type AuctionLotValueInput = z.infer<typeof AuctionLotValueInput>;

/** What is reported or published of one bid. Without `id` its position says which. */
export const AuctionBidInput = model('Bid', {
  ...ignoredMembers(Bid.shape),
  documents: ignoredMember,
  id: hexId().optional(),
  value: AuctionValueInput.optional(),
  lotValues: list(AuctionLotValueInput).optional(),
  date: dateTime().optional(),
  participationUrl: url().optional(),
}).meta({ id: 'AuctionBidInput' });
export type AuctionBidInput = z.infer<typeof AuctionBidInput>;

export const AuctionLotInput = model('Lot', {
  ...ignoredMembers(Lot.shape),
  id: hexId().optional(),
  auctionUrl: url().optional(),
}).meta({ id: 'AuctionLotInput' });

/** What an auction component may send of an auction (bids-awards-auction.md 2.3, 2.5 to 2.7). */
export const AuctionInput = model('Auction', {
  ...ignoredMembers(Tender.shape),
  auctionUrl: url().optional(),
  bids: list(AuctionBidInput).optional(),
  lots: list(AuctionLotInput).optional(),
}).meta({ id: 'AuctionInput' });
export type AuctionInput = z.infer<typeof AuctionInput>;

/** Money of a bid in the record; the masked record leaves out the amount. */
const money = z.looseObject({
  amount: z.number().optional(),
  currency: z.string(),
  valueAddedTaxIncluded: z.boolean(),
});

/** A bid in the record: never who bids (bids-awards-auction.md 2.2). */
export const AuctionBid = z
  .object({
    id: z.string().optional(),
    date: z.string().optional(),
    value: money.optional(),
    lotValues: z
      .array(
        z.object({
          relatedLot: z.string(),
          value: money.optional(),
          date: z.string().optional(),
          participationUrl: z.string().optional(),
        }),
      )
      .optional(),
    parameters: z.array(z.object({ code: z.string(), value: z.number() })).optional(),
    participationUrl: z.string().optional(),
  })
  .meta({ id: 'AuctionBid' });
export type AuctionBid = z.infer<typeof AuctionBid>;

/** The tender as the auction component needs it (bids-awards-auction.md 2.2). */
export const Auction = z
  .looseObject({
    tenderID: z.string(),
    dateModified: z.string(),
    items: z.array(Item).optional(),
    features: z.array(Feature).optional(),
    minimalStep: Value.optional(),
    ...multilingual('submissionMethodDetails'),
    tenderPeriod: Period.optional(),
    auctionPeriod: AuctionPeriod.optional(),
    auctionUrl: url().optional(),
    lots: z.array(Lot).optional(),
    bids: z.array(AuctionBid),
  })
  .meta({ id: 'Auction' });
