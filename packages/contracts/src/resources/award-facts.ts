import { z } from 'zod';

const AwardComplaint = z.looseObject({
  id: z.string(),
  type: z.string(),
  status: z.string(),
  relatedLot: z.string().optional(),
  resolutionType: z.string().optional(),
  dateSubmitted: z.string().optional(),
  dateAnswered: z.string().optional(),
});

/** A public award. Only the members that other services use have types. */
export const AwardRecord = z.looseObject({
  id: z.string(),
  status: z.enum(['pending', 'unsuccessful', 'active', 'cancelled']),
  date: z.string(),
  bid_id: z.string().optional(),
  lotID: z.string().optional(),
  complaintPeriod: z.object({ startDate: z.string().optional(), endDate: z.string().optional() }).optional(),
  complaints: z.array(AwardComplaint).optional(),
});
export type AwardRecord = z.infer<typeof AwardRecord>;

export const ContractRecord = z.looseObject({
  id: z.string(),
  awardID: z.string(),
  status: z.enum(['pending', 'active', 'cancelled', 'terminated']),
});
export type ContractRecord = z.infer<typeof ContractRecord>;

/** All awards and contracts of one tender. They are published together because one decision can change several. */
export const AwardFacts = z.object({
  /** Identifier of the tender. */
  id: z.string(),
  version: z.int(),
  awards: z.array(AwardRecord),
  contracts: z.array(ContractRecord),
  /** Owners of complaints, by complaint id: they may add documents. Kept apart from the awards, which are public. */
  complaintOwners: z.record(z.string(), z.object({ owner: z.string(), ownerTokenHash: z.string() })).optional(),
});
export type AwardFacts = z.infer<typeof AwardFacts>;
