import { parseDateTime } from '@procurement/contracts/reading/instant';
import { z } from 'zod';

// What the room reads of a tender and of its auction record (bids-awards-auction.md 2.2). Other members pass through: pages show them.

const text = z.string().optional();
const date = z.string().refine((value) => parseDateTime(value) !== undefined, 'not a date');
const Period = z.object({ startDate: date.optional(), endDate: date.optional() });
const Money = z.object({ amount: z.number(), currency: text });
const Parameter = z.object({ code: z.string(), value: z.number() });
const Feature = z.looseObject({
  code: z.string(),
  featureOf: z.string().default('tenderer'),
  relatedItem: text,
  enum: z.array(z.looseObject({ value: z.number() })),
});
const Lot = z.looseObject({
  id: z.string(),
  status: text,
  title: text,
  title_en: text,
  description: text,
  description_en: text,
  minimalStep: Money.optional(),
  auctionPeriod: Period.optional(),
  auctionUrl: text,
});
const LotValue = z.looseObject({
  relatedLot: z.string(),
  status: text,
  date: date.optional(),
  value: Money.optional(),
  weightedValue: z.unknown().optional(),
});
const Bid = z.looseObject({
  id: text,
  status: text,
  date: date.optional(),
  value: Money.optional(),
  weightedValue: z.unknown().optional(),
  parameters: z.array(Parameter).optional(),
  lotValues: z.array(LotValue).optional(),
});

export const RecordShape = z.looseObject({
  minimalStep: Money.optional(),
  features: z.array(Feature).optional(),
  auctionPeriod: Period.optional(),
  auctionUrl: text,
  lots: z.array(Lot).optional(),
  bids: z.array(Bid),
});
export type RecordShape = z.infer<typeof RecordShape>;
export type RecordLot = z.infer<typeof Lot>;
export type RecordBid = z.infer<typeof Bid>;

const Tenderer = z.looseObject({ name: text, name_en: text, name_ru: text });

export const TenderShape = z.looseObject({
  id: z.string(),
  tenderID: z.string(),
  status: z.string(),
  mode: text,
  procurementMethodType: z.string().default('belowThreshold'),
  procurementMethodDetails: text,
  submissionMethodDetails: text,
  awardCriteria: text,
  items: z.array(z.looseObject({ id: z.string(), relatedLot: text })).optional(),
  documents: z.array(z.looseObject({ id: z.string(), title: text })).optional(),
  /** Only once bids are open. */
  bids: z
    .array(
      z.looseObject({
        id: z.string(),
        value: Money.optional(),
        lotValues: z.array(LotValue).optional(),
        tenderers: z.array(Tenderer).optional(),
      }),
    )
    .optional(),
});
export type TenderShape = z.infer<typeof TenderShape>;
