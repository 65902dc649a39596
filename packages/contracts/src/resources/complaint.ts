import { z } from 'zod';
import { evenAfterErrors, model } from '../reading/composites.ts';
import { REQUIRED } from '../reading/error-messages.ts';
import { boolean, oneOf, dateTime, hexId, text } from '../reading/scalars.ts';
import { Document } from './document.ts';
import { ignoredMember } from './ignored-member.ts';
import { EarlyOrganization, Organization } from './organization.ts';

/** tenders.md 13.3. */
export const COMPLAINT_STATUSES = [
  'draft',
  'claim',
  'answered',
  'pending',
  'invalid',
  'resolved',
  'declined',
  'cancelled',
  'ignored',
] as const;
export type ComplaintStatus = (typeof COMPLAINT_STATUSES)[number];

export const RESOLUTION_TYPES = ['invalid', 'resolved', 'declined'] as const;

/** The member that a status requires. */
const REQUIRED_BY_STATUS = { answered: 'resolutionType', cancelled: 'cancellationReason' } as const;

function complaintInput<A extends z.ZodType>(author: A) {
  return model('Complaint', {
    id: text('identifier').optional(),
    complaintID: text('identifier').optional(),
    type: oneOf(['claim', 'complaint']).optional(),
    status: oneOf(COMPLAINT_STATUSES).optional(),
    author,
    title: text('title'),
    description: text('description').optional(),
    relatedLot: hexId().optional(),
    date: dateTime().optional(),
    dateSubmitted: dateTime().optional(),
    resolution: text('description').optional(),
    resolutionType: oneOf(RESOLUTION_TYPES).optional(),
    tendererAction: text('description').optional(),
    tendererActionDate: dateTime().optional(),
    dateAnswered: dateTime().optional(),
    satisfied: boolean().optional(),
    dateEscalated: dateTime().optional(),
    decision: text('description').optional(),
    dateDecision: dateTime().optional(),
    cancellationReason: text('description').optional(),
    dateCanceled: dateTime().optional(),
    documents: ignoredMember,
  }).superRefine((complaint, context) => {
    for (const [status, member] of Object.entries(REQUIRED_BY_STATUS)) {
      if (complaint.status !== status || complaint[member] !== undefined) continue;
      context.addIssue({ code: 'custom', path: [member], message: REQUIRED });
    }
  }, evenAfterErrors);
}

/** Body of POST and PATCH (tenders.md 13). */
export const ComplaintInput = complaintInput(Organization).meta({ id: 'ComplaintInput' });

/** Body by an older segment, whose organisations have fewer required members (rulings R13). */
export const EarlyComplaintInput = complaintInput(EarlyOrganization).meta({ id: 'EarlyComplaintInput' });
export type ComplaintInput = z.infer<typeof EarlyComplaintInput>;

/** A stored complaint with its author. Owner and token are stored apart from it. */
export interface StoredComplaint extends Omit<
  ComplaintInput,
  'id' | 'complaintID' | 'type' | 'status' | 'date' | 'documents'
> {
  readonly id: string;
  readonly complaintID: string;
  readonly type: 'claim' | 'complaint';
  readonly status: ComplaintStatus;
  readonly date: string;
}

/** A complaint in answers. */
export const Complaint = model('Complaint', {
  ...ComplaintInput.shape,
  id: text('identifier'),
  complaintID: text('identifier'),
  type: oneOf(['claim', 'complaint']),
  status: oneOf(COMPLAINT_STATUSES),
  author: Organization.optional(),
  date: dateTime(),
  documents: z.array(Document).optional(),
}).meta({ id: 'Complaint' });
