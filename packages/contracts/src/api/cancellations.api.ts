import { z } from 'zod';
import { Cancellation, CancellationInput } from '../resources/cancellation.ts';
import type { RouteContract } from './route.ts';

const segments = ['2.5', '2.3', '0'] as const;
const collection = '/tenders/:tender_id/cancellations';

/** Cancellations of a tender and its lots (tenders.md 14). */
export const cancellationsApi = {
  listCancellations: {
    name: 'listCancellations',
    method: 'GET',
    path: collection,
    owner: 'tenders',
    spore: 'get_collection_tender cancellations',
    summary: 'Cancellations of a tender and its lots',
    description: 'All cancellations, pending and in force.',
    segments,
    responses: { 200: z.array(Cancellation) },
  },
  createCancellation: {
    name: 'createCancellation',
    method: 'POST',
    path: collection,
    owner: 'tenders',
    spore: 'post_collection_tender cancellations',
    summary: 'Announce the cancellation of a tender or lot, or cancel it',
    description:
      'With `status` active the tender or lot is cancelled at once. A pending cancellation has no effect until a PATCH puts it in force; its documents can be added in between.',
    segments,
    body: CancellationInput,
    responses: { 201: Cancellation },
  },
  getCancellation: {
    name: 'getCancellation',
    method: 'GET',
    path: `${collection}/:cancellation_id`,
    owner: 'tenders',
    spore: 'get_tender cancellations',
    summary: 'A cancellation',
    description: 'One cancellation of the tender or of a lot.',
    segments,
    responses: { 200: Cancellation },
  },
  patchCancellation: {
    name: 'patchCancellation',
    method: 'PATCH',
    path: `${collection}/:cancellation_id`,
    owner: 'tenders',
    spore: 'patch_tender cancellations',
    summary: 'Put a cancellation in force',
    description:
      'The owner of the tender sets `status` to active: the tender or lot is cancelled. Other members are ignored.',
    segments,
    body: CancellationInput,
    responses: { 200: Cancellation },
  },
} as const satisfies Record<string, RouteContract>;
