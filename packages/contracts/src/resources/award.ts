import { z } from 'zod';
import { list, model } from '../reading/composites.ts';
import { oneOf, dateTime, hexId, text } from '../reading/scalars.ts';
import { Complaint, type StoredComplaint } from './complaint.ts';
import { Document } from './document.ts';
import { ignoredMember } from './ignored-member.ts';
import { Item } from './item.ts';
import { multilingual } from './multilingual.ts';
import { BusinessOrganization, EarlyBusinessOrganization } from './organization.ts';
import { Period } from './period.ts';
import { Value } from './value.ts';

/** bids-awards-auction.md 3.1. */
export const AWARD_STATUSES = ['pending', 'unsuccessful', 'active', 'cancelled'] as const;
export type AwardStatus = (typeof AWARD_STATUSES)[number];

const titleAndDescription = { ...multilingual('title', 'title'), ...multilingual('description', 'description') };

/** Members that the service sets: accepted in a body and ignored. */
const ignoredOnInput = {
  id: text('identifier').optional(),
  date: dateTime().optional(),
  items: ignoredMember,
  documents: ignoredMember,
  complaints: ignoredMember,
};

/**
 * Body of a PATCH. Suppliers and value are ignored: they do not change, and an award from an older segment may lack parts
 * that 2.5 requires (generations.md 5.7).
 */
export const AwardPatch = model('Award', {
  ...ignoredOnInput,
  status: oneOf(AWARD_STATUSES).optional(),
  ...titleAndDescription,
  complaintPeriod: Period.optional(),
  bid_id: ignoredMember,
  lotID: ignoredMember,
  value: ignoredMember,
  suppliers: ignoredMember,
}).meta({ id: 'AwardPatch' });
export type AwardPatch = z.infer<typeof AwardPatch>;

/** Body of a POST by an administrator of the service; `status` is ignored (bids-awards-auction.md 3.8). */
export const AwardInput = model('Award', {
  ...ignoredOnInput,
  bid_id: hexId(),
  lotID: hexId().optional(),
  status: oneOf(AWARD_STATUSES).optional(),
  value: Value.optional(),
  suppliers: list('suppliers', BusinessOrganization, { min: 1 }),
  ...titleAndDescription,
  complaintPeriod: Period.optional(),
}).meta({ id: 'AwardInput' });

/** Body of a POST in older segments (`interface.md`): what the tender owner decided (bids-awards-auction.md 3.8). */
export const EarlyAwardInput = model('Award', {
  ...AwardInput.shape,
  bid_id: hexId().optional(),
  status: oneOf(['pending', 'unsuccessful', 'active']).default('pending'),
  suppliers: list('suppliers', EarlyBusinessOrganization, { min: 1 }),
}).meta({ id: 'EarlyAwardInput' });
export type EarlyAwardInput = z.infer<typeof EarlyAwardInput>;

/** A stored award. All members are public. */
export interface StoredAward extends Omit<
  EarlyAwardInput,
  'id' | 'date' | 'status' | 'items' | 'documents' | 'complaints'
> {
  readonly id: string;
  readonly date: string;
  readonly status: AwardStatus;
  readonly complaints?: readonly StoredComplaint[] | undefined;
}

/** An award in answers. */
export const Award = z
  .looseObject({
    ...AwardInput.shape,
    id: hexId(),
    bid_id: hexId().optional(),
    status: oneOf(AWARD_STATUSES),
    date: dateTime(),
    items: z.array(Item).optional(),
    documents: z.array(Document).optional(),
    complaints: z.array(Complaint).optional(),
  })
  .meta({ id: 'Award' });
