import { z } from 'zod';
import { Award, AwardInput, AwardPatch, EarlyAwardInput } from '../resources/award.ts';
import type { RouteContract } from './route.ts';

const withoutOldest = ['2.5', '2.3', '0'] as const;
/** Segment 0.1 has no PATCH of an award (generations.md 6). */
const segments = [...withoutOldest, '0.1'] as const;
const collection = '/tenders/:tender_id/awards';

/** Awards of a tender (bids-awards-auction.md 3.2). */
export const awardsApi = {
  listAwards: {
    name: 'listAwards',
    method: 'GET',
    path: collection,
    owner: 'awards',
    spore: 'get_collection_tender awards',
    summary: 'Awards of a tender',
    description:
      'All awards, also cancelled and unsuccessful ones. The service creates the first award when qualification begins, and the next one when an award becomes unsuccessful.',
    segments,
    responses: { 200: z.array(Award) },
  },
  createAward: {
    name: 'createAward',
    method: 'POST',
    path: collection,
    owner: 'awards',
    spore: 'post_collection_tender awards',
    summary: 'Add an award',
    description:
      'In segment 2.5 for administrators only: the award is pending. In older segments the owner of the tender posts what was decided about a bidder.',
    segments,
    body: AwardInput,
    bodyBySegment: { '2.3': EarlyAwardInput, '0': EarlyAwardInput, '0.1': EarlyAwardInput },
    responses: { 201: Award },
  },
  getAward: {
    name: 'getAward',
    method: 'GET',
    path: `${collection}/:award_id`,
    owner: 'awards',
    spore: 'get_tender awards',
    summary: 'An award',
    description: 'One award with its suppliers, value, complaint period and complaints.',
    segments,
    responses: { 200: Award },
  },
  patchAward: {
    name: 'patchAward',
    method: 'PATCH',
    path: `${collection}/:award_id`,
    owner: 'awards',
    spore: 'patch_tender awards',
    summary: 'Decide about an award',
    description:
      'The owner of the tender sets `status`: active accepts the bidder and creates a contract, unsuccessful rejects it and creates the next award, cancelled takes a decision back.',
    segments: withoutOldest,
    body: AwardPatch,
    responses: { 200: Award },
  },
} as const satisfies Record<string, RouteContract>;
