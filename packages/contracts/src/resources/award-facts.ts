import { z } from 'zod';
import { openEnum } from '../events/open-enums.ts';

const AwardComplaint = z.looseObject({
  id: z.string(),
  type: openEnum('complaint type'),
  status: openEnum('complaint status'),
  relatedLot: z.string().optional(),
  resolutionType: z.string().optional(),
  dateSubmitted: z.string().optional(),
  dateAnswered: z.string().optional(),
});

/** A public award. Only the members that other services use have types. */
export const AwardRecord = z.looseObject({
  id: z.string(),
  status: openEnum('award status'),
  date: z.string(),
  bid_id: z.string().optional(),
  lotID: z.string().optional(),
  complaintPeriod: z.looseObject({ startDate: z.string().optional(), endDate: z.string().optional() }).optional(),
  complaints: z.array(AwardComplaint).optional(),
});
export type AwardRecord = z.infer<typeof AwardRecord>;

export const ContractRecord = z.looseObject({
  id: z.string(),
  awardID: z.string(),
  status: openEnum('contract status'),
  /** What followed the signature (contracting.md 2.3). */
  implementation: z
    .looseObject({
      status: openEnum('contract status'),
      changes: z.array(z.looseObject({ id: z.string(), status: openEnum('contract change status') })).optional(),
    })
    .optional(),
});
export type ContractRecord = z.infer<typeof ContractRecord>;

/**
 * All awards and contracts of one tender. They are published together because one decision can change several. Loose objects: a
 * consumer that stores them keeps members of a later release (docs/rules-for-upgrades.md).
 */
export const AwardFacts = z.looseObject({
  /** Identifier of the tender. */
  id: z.string(),
  version: z.int(),
  awards: z.array(AwardRecord),
  contracts: z.array(ContractRecord),
  /** Owners of complaints, by complaint id: they may add documents. Kept apart from the awards, which are public. */
  complaintOwners: z.record(z.string(), z.looseObject({ owner: z.string(), ownerTokenHash: z.string() })).optional(),
  /** Holders of tokens of single contracts, by contract id. Never public either. */
  contractOwners: z
    .record(
      z.string(),
      z.looseObject({
        owner: z.string(),
        ownerTokenHash: z.string(),
        /** The tender's token opens the contract no more (contracting.md 8). */
        isTakenOver: z.literal(true).optional(),
      }),
    )
    .optional(),
});
export type AwardFacts = z.infer<typeof AwardFacts>;
