import { z } from 'zod';
import { openEnum } from '../events/open-enums.ts';

const money = z.object({ amount: z.number(), currency: z.string(), valueAddedTaxIncluded: z.boolean() });
const period = z.object({ startDate: z.string().optional(), endDate: z.string().optional() });
const auctionPeriod = period.extend({ shouldStartAfter: z.string().optional() });

/**
 * What other services need of a tender, complete. `version` is that of the tender after the change that made them, or a later one. New
 * members must be optional, because services are deployed one by one.
 */
export const TenderFacts = z.object({
  id: z.string(),
  version: z.int(),
  tenderID: z.string(),
  status: openEnum('tender status'),
  mode: z.string().optional(),
  owner: z.string(),
  ownerTokenHash: z.string(),
  /** Microseconds by which the time of this tender is ahead of real time: the sandbox clock (rulings R18). */
  clockShift: z.int().optional(),
  /**
   * The newest versions of `award.changed` and `document.changed` that the tenders service has applied, 0 before the first:
   * their publishers ask again until they find their own.
   */
  awardsVersion: z.int(),
  documentsVersion: z.int(),
  /** False when the tender has no auction (rulings R44); absent when it has one. */
  hasAuction: z.literal(false).optional(),
  procurementMethodType: z.string().optional(),
  procurementMethodDetails: z.string().optional(),
  submissionMethodDetails: z.string().optional(),
  enquiryPeriod: period.optional(),
  tenderPeriod: period.optional(),
  auctionPeriod: auctionPeriod.optional(),
  value: money.optional(),
  minimalStep: money.optional(),
  items: z.array(z.object({ id: z.string(), relatedLot: z.string().optional() })).optional(),
  lots: z
    .array(
      z.object({
        id: z.string(),
        status: openEnum('lot status'),
        value: money.optional(),
        minimalStep: money.optional(),
        auctionPeriod: auctionPeriod.optional(),
      }),
    )
    .optional(),
  /** Claims and complaints about the tender: they can block awards and contracts, and have owners and documents. */
  complaints: z
    .array(
      z.object({
        id: z.string(),
        type: openEnum('complaint type'),
        status: openEnum('complaint status'),
        relatedLot: z.string().optional(),
        owner: z.string(),
        ownerTokenHash: z.string(),
      }),
    )
    .optional(),
  cancellations: z.array(z.object({ id: z.string(), status: openEnum('cancellation status') })).optional(),
  features: z
    .array(
      z.object({
        code: z.string(),
        featureOf: openEnum('feature of'),
        relatedItem: z.string().optional(),
        enum: z.array(z.object({ value: z.number() })),
      }),
    )
    .optional(),
});
export type TenderFacts = z.infer<typeof TenderFacts>;
