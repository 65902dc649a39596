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
    summary: 'A complaint',
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
    segments,
    body: ComplaintInput,
    bodyBySegment,
    responses: { 200: Complaint },
  },
} as const satisfies Record<string, RouteContract>;
