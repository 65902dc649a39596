import { z } from 'zod';
import { Complaint, ComplaintInput, EarlyComplaintInput } from '../resources/complaint.ts';
import type { RouteContract } from './route.ts';

const segments = ['2.5', '2.3', '0'] as const;
const collection = '/tenders/:tender_id/awards/:award_id/complaints';
const bodyBySegment = { '2.3': EarlyComplaintInput, '0': EarlyComplaintInput } as const;

/** Claims and complaints about an award (bids-awards-auction.md 3.7). */
export const awardComplaintsApi = {
  listAwardComplaints: {
    name: 'listAwardComplaints',
    method: 'GET',
    path: collection,
    owner: 'awards',
    spore: 'get_collection_tender award complaints',
    summary: 'Claims and complaints about an award',
    description: 'All claims and complaints about one award, also drafts.',
    segments,
    responses: { 200: z.array(Complaint) },
  },
  createAwardComplaint: {
    name: 'createAwardComplaint',
    method: 'POST',
    path: collection,
    owner: 'awards',
    spore: 'post_collection_tender award complaints',
    summary: 'File a claim about an award, as a bidder of the tender',
    description:
      'Possible during the complaint period of the award, for brokers of bidders of this tender: the token of the bid goes with the request. The answer holds the token of the complainant.',
    segments,
    body: ComplaintInput,
    bodyBySegment,
    responses: { 201: Complaint },
    access: true,
  },
  getAwardComplaint: {
    name: 'getAwardComplaint',
    method: 'GET',
    path: `${collection}/:complaint_id`,
    owner: 'awards',
    spore: 'get_tender award complaints',
    summary: 'A claim or complaint about an award',
    description: 'One claim or complaint about an award.',
    segments,
    responses: { 200: Complaint },
  },
  patchAwardComplaint: {
    name: 'patchAwardComplaint',
    method: 'PATCH',
    path: `${collection}/:complaint_id`,
    owner: 'awards',
    spore: 'patch_tender award complaints',
    summary: 'Answer, escalate, decide or withdraw a complaint about an award',
    description:
      'What may change depends on the caller and on `status`: the complainant submits, escalates or withdraws, the owner of the tender answers, a reviewer decides.',
    segments,
    body: ComplaintInput,
    bodyBySegment,
    responses: { 200: Complaint },
  },
} as const satisfies Record<string, RouteContract>;
