import { Auction, AuctionInput } from '../resources/auction.ts';
import { Tender } from '../resources/tender.ts';
import type { RouteContract } from './route.ts';

const path = '/tenders/:tender_id/auction';
const lotPath = `${path}/:auction_lot_id`;
/** Reporting by POST came with the current generation of shapes. */
const withoutOldest = ['2.5', '2.3', '0'] as const;
const segments = [...withoutOldest, '0.1'] as const;

/** The hand-off to whoever holds the auctions (bids-awards-auction.md 2.1). */
export const auctionApi = {
  getAuction: {
    name: 'getAuction',
    method: 'GET',
    path,
    owner: 'auction',
    spore: 'get_collection_tender auction',
    summary: 'What an auction begins with',
    segments,
    responses: { 200: Auction },
  },
  patchAuction: {
    name: 'patchAuction',
    method: 'PATCH',
    path,
    owner: 'auction',
    spore: 'patch_collection_tender auction',
    summary: 'Publish the addresses of an auction',
    segments,
    body: AuctionInput,
    responses: { 200: Auction },
  },
  reportAuction: {
    name: 'reportAuction',
    method: 'POST',
    path,
    owner: 'auction',
    spore: 'post_collection_tender auction',
    summary: 'Report the results of an auction',
    segments: withoutOldest,
    body: AuctionInput,
    responses: { 200: Tender },
  },
  patchLotAuction: {
    name: 'patchLotAuction',
    method: 'PATCH',
    path: lotPath,
    owner: 'auction',
    spore: 'patch_tender auction',
    summary: 'Publish the addresses of the auction of a lot',
    segments: withoutOldest,
    body: AuctionInput,
    responses: { 200: Auction },
  },
  reportLotAuction: {
    name: 'reportLotAuction',
    method: 'POST',
    path: lotPath,
    owner: 'auction',
    spore: 'post_tender auction',
    summary: 'Report the results of the auction of a lot',
    segments: withoutOldest,
    body: AuctionInput,
    responses: { 200: Tender },
  },
} as const satisfies Record<string, RouteContract>;
