import { Auction, AuctionInput } from '../resources/auction.ts';
import { Tender } from '../resources/tender.ts';
import type { RouteContract } from './route.ts';

const path = '/tenders/:tender_id/auction';
const lotPath = `${path}/:auction_lot_id`;
/** POST of results and addresses of lots do not exist on segment 0.1 (generations.md 6). */
const withoutOldest = ['2.5', '2.3', '0'] as const;
const segments = [...withoutOldest, '0.1'] as const;

/** The hand-off to the auction component (bids-awards-auction.md 2.1). */
export const auctionApi = {
  getAuction: {
    name: 'getAuction',
    method: 'GET',
    path,
    owner: 'auction',
    spore: 'get_collection_tender auction',
    summary: 'Data of an auction',
    description:
      'What an auction component needs before an auction: minimal step, features, lots and bids without their bidders. Possible while the tender is in `active.auction`.',
    segments,
    sealed: true,
    responses: { 200: Auction },
  },
  patchAuction: {
    name: 'patchAuction',
    method: 'PATCH',
    path,
    owner: 'auction',
    spore: 'patch_collection_tender auction',
    summary: 'Publish the addresses of an auction',
    description:
      'The auction component sends the address of the auction and the participation links of the bids. An entry of `bids` belongs to the bid with its `id`, or else to the bid at its position. May be repeated.',
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
    description:
      'The auction component sends the final amounts. The tender goes to qualification, bids are opened and the first award is created. The same report again answers 200.',
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
    description: 'As for a tender without lots. Only this lot is written; entries of other lots are ignored.',
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
    description: 'As for a tender without lots. The tender goes to qualification when the last auction is reported.',
    segments: withoutOldest,
    body: AuctionInput,
    responses: { 200: Tender },
  },
} as const satisfies Record<string, RouteContract>;
