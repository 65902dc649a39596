import { z } from 'zod';
import { Complaint, ComplaintInput, EarlyComplaintInput } from '../resources/complaint.ts';
import type { RouteContract } from './route.ts';

const segments = ['2.5', '2.3', '0'] as const;
const collection = '/tenders/:tender_id/complaints';
const bodyBySegment = { '2.3': EarlyComplaintInput, '0': EarlyComplaintInput } as const;

/** Claims and complaints about the conditions of a tender (tenders.md 13). */
export const complaintsApi = {
  listComplaints: {
    name: 'listComplaints',
    method: 'GET',
    path: collection,
    owner: 'tenders',
    spore: 'get_collection_tender complaints',
    summary: 'Claims and complaints about the conditions of a tender',
    description:
      'All claims and complaints, also drafts. The author of a claim is hidden in `active.enquiries` and `active.tendering`.',
    segments,
    responses: { 200: z.array(Complaint) },
  },
  createComplaint: {
    name: 'createComplaint',
    method: 'POST',
    path: collection,
    owner: 'tenders',
    spore: 'post_collection_tender complaints',
    summary: 'File a claim about the conditions of a tender',
    description:
      'Needs an API key of accreditation level 2. With `status` claim it is submitted at once, otherwise it stays a draft. The answer holds the token of the complainant.',
    segments,
    body: ComplaintInput,
    bodyBySegment,
    responses: { 201: Complaint },
    access: true,
  },
  getComplaint: {
    name: 'getComplaint',
    method: 'GET',
    path: `${collection}/:complaint_id`,
    owner: 'tenders',
    spore: 'get_tender complaints',
    summary: 'A claim or complaint about the conditions of a tender',
    description: 'One claim or complaint. A claim becomes a complaint (`type`) when it is escalated.',
    segments,
    responses: { 200: Complaint },
  },
  patchComplaint: {
    name: 'patchComplaint',
    method: 'PATCH',
    path: `${collection}/:complaint_id`,
    owner: 'tenders',
    spore: 'patch_tender complaints',
    summary: 'Answer, escalate, decide or withdraw a complaint',
    description:
      'What may change depends on the caller and on `status`: the complainant submits, escalates or withdraws, the owner of the tender answers, a reviewer decides.',
    segments,
    body: ComplaintInput,
    bodyBySegment,
    responses: { 200: Complaint },
  },
} as const satisfies Record<string, RouteContract>;
