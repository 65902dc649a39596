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

/** An award as anyone sees it; named are the members that rules outside its service look at. */
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

/** All awards and contracts of one tender, as they stand together: several change in one decision. */
export const AwardFacts = z.object({
  /** Of the tender. */
  id: z.string(),
  version: z.int(),
  awards: z.array(AwardRecord),
  contracts: z.array(ContractRecord),
  /** Whose the complaints about awards are, by id: they add documents. Beside the awards, which are shown as they are. */
  complaintOwners: z.record(z.string(), z.object({ owner: z.string(), ownerTokenHash: z.string() })).optional(),
});
export type AwardFacts = z.infer<typeof AwardFacts>;
