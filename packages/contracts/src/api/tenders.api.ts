import { z } from 'zod';
import { BareTenderInput, EarlyTenderInput, SandboxTenderInput, Tender, TenderInput } from '../resources/tender.ts';
import { FeedEntry, FeedQuery } from '../resources/feed.ts';
import type { RouteContract } from './route.ts';

const segments = ['2.5', '2.3', '0', '0.1'] as const;

const bodies = {
  body: TenderInput,
  sandboxBody: SandboxTenderInput,
  bodyBySegment: { '0': EarlyTenderInput, '0.1': BareTenderInput },
} as const satisfies Partial<RouteContract>;

/** What the tenders service answers (tenders.md 2, http.md 1). */
export const tendersApi = {
  listTenders: {
    name: 'listTenders',
    method: 'GET',
    path: '/tenders',
    owner: 'tenders',
    spore: 'get_tenders',
    summary: 'Tenders feed',
    segments,
    query: FeedQuery,
    responses: { 200: z.array(FeedEntry) },
  },
  createTender: {
    name: 'createTender',
    method: 'POST',
    path: '/tenders',
    owner: 'tenders',
    spore: 'post_tenders',
    summary: 'Create a tender',
    segments,
    ...bodies,
    responses: { 201: Tender },
    access: true,
  },
  getTender: {
    name: 'getTender',
    method: 'GET',
    path: '/tenders/:tender_id',
    owner: 'tenders',
    spore: 'get_tender',
    summary: 'A tender',
    segments,
    responses: { 200: Tender },
  },
  putTender: {
    name: 'putTender',
    method: 'PUT',
    path: '/tenders/:tender_id',
    owner: 'tenders',
    spore: 'put_tender',
    summary: 'Replace a tender',
    segments,
    ...bodies,
    responses: { 200: Tender },
  },
  patchTender: {
    name: 'patchTender',
    method: 'PATCH',
    path: '/tenders/:tender_id',
    owner: 'tenders',
    spore: 'patch_tender',
    summary: 'Change a tender',
    segments,
    ...bodies,
    responses: { 200: Tender },
  },
} as const satisfies Record<string, RouteContract>;
