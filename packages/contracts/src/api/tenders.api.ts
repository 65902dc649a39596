import { z } from 'zod';
import {
  BareTenderInput,
  BareTenderWithoutAuctionInput,
  EarlyTenderInput,
  EarlyTenderWithoutAuctionInput,
  SandboxTenderInput,
  SandboxTenderWithoutAuctionInput,
  Tender,
  TenderConfig,
  TenderInput,
  TenderWithoutAuctionInput,
} from '../resources/tender.ts';
import { FeedEntry, FeedQuery, FeedQueryOf25 } from '../resources/feed.ts';
import type { RouteContract } from './route.ts';

const segments = ['2.5', '2.3', '0', '0.1'] as const;

const TenderQuery = z.object({
  opt_schema: z
    .string()
    .optional()
    .describe('A text with `ocds`: the newest release of the tender, as an OCDS release package'),
});

const bodies = {
  body: TenderInput,
  sandboxBody: SandboxTenderInput,
  bodyBySegment: { '0': EarlyTenderInput, '0.1': BareTenderInput },
  withoutAuction: {
    body: TenderWithoutAuctionInput,
    sandboxBody: SandboxTenderWithoutAuctionInput,
    bodyBySegment: { '0': EarlyTenderWithoutAuctionInput, '0.1': BareTenderWithoutAuctionInput },
  },
} as const satisfies Partial<RouteContract>;

/** The answers show whether the tender has no auction (rulings R44). */
const beside = { config: TenderConfig.optional() } as const;

/** Tenders and their feed (tenders.md 2, http.md 1). */
export const tendersApi = {
  listTenders: {
    name: 'listTenders',
    method: 'GET',
    path: '/tenders',
    owner: 'tenders',
    spore: 'get_tenders',
    summary: 'Tenders feed',
    description:
      'All tenders in the order of their last change, oldest first, in pages. Follow `next_page` for ever to see every change: a tender that changes comes again. Tenders with `mode` test are left out unless the parameter `mode` asks for them; segments 2.3, 0 and 0.1 of a sandbox list them without it.',
    segments,
    query: FeedQuery,
    queryOf25: FeedQueryOf25,
    responses: { 200: z.array(FeedEntry) },
  },
  createTender: {
    name: 'createTender',
    method: 'POST',
    path: '/tenders',
    owner: 'tenders',
    spore: 'post_tenders',
    summary: 'Create a tender',
    description:
      'Publishes a tender, or stores it as a draft with `status` draft. Needs an API key of accreditation level 1. With `config` `{"hasAuction": false}` beside `data` the tender has no auction: the best of the opened bids is awarded. The answer holds the owner token, which is never shown again: every later change needs it.',
    segments,
    ...bodies,
    sentBeside: { config: TenderConfig },
    responses: { 201: Tender },
    beside,
    access: true,
  },
  getTender: {
    name: 'getTender',
    method: 'GET',
    path: '/tenders/:tender_id',
    owner: 'tenders',
    spore: 'get_tender',
    summary: 'A tender',
    description:
      'The tender with all that is public in its current status. Bids are absent, and authors of questions and claims are hidden, until bids are opened. With `opt_schema=ocds` the answer is an OCDS release package with its newest release instead.',
    segments,
    query: TenderQuery,
    responses: { 200: Tender },
    beside,
  },
  putTender: {
    name: 'putTender',
    method: 'PUT',
    path: '/tenders/:tender_id',
    owner: 'tenders',
    spore: 'put_tender',
    summary: 'Replace a tender',
    description:
      'Replaces the members that the owner may set while the tender is in `active.enquiries`; optional members that are left out are removed. Later the body is validated and nothing changes.',
    segments,
    ...bodies,
    responses: { 200: Tender },
    beside,
  },
  patchTender: {
    name: 'patchTender',
    method: 'PATCH',
    path: '/tenders/:tender_id',
    owner: 'tenders',
    spore: 'patch_tender',
    summary: 'Change a tender',
    description:
      'Changes the members that are sent, as far as the status allows the owner to edit them; the others are ignored. A PATCH without effect answers 200 and leaves `dateModified` as it is.',
    segments,
    ...bodies,
    responses: { 200: Tender },
    beside,
  },
} as const satisfies Record<string, RouteContract>;
