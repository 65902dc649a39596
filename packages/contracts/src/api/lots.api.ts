import { z } from 'zod';
import { Lot, LotInput, LotWithoutAuctionInput } from '../resources/lot.ts';
import type { RouteContract } from './route.ts';

const segments = ['2.5', '2.3', '0'] as const;
const collection = '/tenders/:tender_id/lots';

/** Lots of a tender (tenders.md 6.3). */
export const lotsApi = {
  listLots: {
    name: 'listLots',
    method: 'GET',
    path: collection,
    owner: 'tenders',
    spore: 'get_collection_tender lots',
    summary: 'Lots of a tender',
    description: 'All lots with their values and auction periods.',
    segments,
    responses: { 200: z.array(Lot) },
  },
  createLot: {
    name: 'createLot',
    method: 'POST',
    path: collection,
    owner: 'tenders',
    spore: 'post_collection_tender lots',
    summary: 'Add a lot',
    description:
      'Adds a lot while the tender is in `active.enquiries`. The value of the tender becomes the sum of its lots.',
    segments,
    body: LotInput,
    withoutAuction: { body: LotWithoutAuctionInput },
    responses: { 201: Lot },
  },
  getLot: {
    name: 'getLot',
    method: 'GET',
    path: `${collection}/:lot_id`,
    owner: 'tenders',
    spore: 'get_tender lots',
    summary: 'A lot',
    description: 'One lot of the tender.',
    segments,
    responses: { 200: Lot },
  },
  patchLot: {
    name: 'patchLot',
    method: 'PATCH',
    path: `${collection}/:lot_id`,
    owner: 'tenders',
    spore: 'patch_tender lots',
    summary: 'Change a lot',
    description:
      'Changes title, description, value, minimal step or guarantee of a lot while the tender is in `active.enquiries`. Currency and VAT flag follow the tender.',
    segments,
    body: LotInput,
    withoutAuction: { body: LotWithoutAuctionInput },
    responses: { 200: Lot },
  },
  deleteLot: {
    name: 'deleteLot',
    method: 'DELETE',
    path: `${collection}/:lot_id`,
    owner: 'tenders',
    spore: 'delete_tender lots',
    summary: 'Remove a lot',
    description:
      'Removes a lot while the tender is in `active.enquiries` and no item or feature refers to the lot. The answer is the lot as it was.',
    segments,
    responses: { 200: Lot },
  },
} as const satisfies Record<string, RouteContract>;
