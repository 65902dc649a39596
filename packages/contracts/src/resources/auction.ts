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

/** The members of a shape, accepted and ignored: auction components send back the whole record that they read. */
function ignoredMembers<S extends z.ZodRawShape>(shape: S): Record<keyof S, typeof ignoredMember> {
  // Safe cast: the entries are made from the names of the shape.
  return Object.fromEntries(Object.keys(shape).map((name) => [name, ignoredMember])) as Record<
    keyof S,
    typeof ignoredMember
  >;
}

/** An amount from an auction. Members that are left out keep the value of the bid. */
export const AuctionValueInput = model('Value', {
  amount: float({ min: { value: 0, printed: '0' } }).optional(),
  currency: text('identifier', { charactersMin: 3, charactersMax: 3 }).optional(),
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

/** Results or addresses of one bid. Without `id` the entry belongs to the bid at its position. */
export const AuctionBidInput = model('Bid', {
  ...ignoredMembers(Bid.shape),
  documents: ignoredMember,
  id: hexId().optional(),
  value: AuctionValueInput.optional(),
  lotValues: list('lotValues', AuctionLotValueInput).optional(),
  date: dateTime().optional(),
  participationUrl: url().optional(),
}).meta({ id: 'AuctionBidInput' });
export type AuctionBidInput = z.infer<typeof AuctionBidInput>;

export const AuctionLotInput = model('Lot', {
  ...ignoredMembers(Lot.shape),
  id: hexId().optional(),
  auctionUrl: url().optional(),
}).meta({ id: 'AuctionLotInput' });

/** Body of the auction component (bids-awards-auction.md 2.3, 2.5 to 2.7). */
export const AuctionInput = model('Auction', {
  ...ignoredMembers(Tender.shape),
  auctionUrl: url().optional(),
  bids: list('auctionBids', AuctionBidInput).optional(),
  lots: list('lots', AuctionLotInput).optional(),
}).meta({ id: 'AuctionInput' });
export type AuctionInput = z.infer<typeof AuctionInput>;

/** Value of a bid in the auction record. The masked record has no amount. */
const money = z.looseObject({
  amount: z.number().optional(),
  currency: z.string(),
  valueAddedTaxIncluded: z.boolean(),
});

/** A bid in the auction record, without its bidder (bids-awards-auction.md 2.2). */
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

/** The auction record: what the auction component needs of a tender (bids-awards-auction.md 2.2). */
export const Auction = z
  .looseObject({
    tenderID: z.string(),
    dateModified: z.string(),
    items: z.array(Item).optional(),
    features: z.array(Feature).optional(),
    minimalStep: Value.optional(),
    ...multilingual('submissionMethodDetails', 'name'),
    tenderPeriod: Period.optional(),
    auctionPeriod: AuctionPeriod.optional(),
    auctionUrl: url().optional(),
    lots: z.array(Lot).optional(),
    bids: z.array(AuctionBid),
  })
  .meta({ id: 'Auction' });
