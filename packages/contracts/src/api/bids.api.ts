import { z } from 'zod';
import { Bid, BidInput, BidPatch, EarlyBidInput, EarlyBidPatch } from '../resources/bid.ts';
import type { RouteContract } from './route.ts';

const segments = ['2.5', '2.3', '0', '0.1'] as const;

/** Operations of the bids service (bids-awards-auction.md 1.2). */
export const bidsApi = {
  listBids: {
    name: 'listBids',
    method: 'GET',
    path: '/tenders/:tender_id/bids',
    owner: 'bids',
    spore: 'get_collection_tender bids',
    summary: 'Bids of a tender, once they are open',
    description: 'All bids in the order of submission. Refused with 403 until the bids are opened.',
    segments,
    sealed: true,
    responses: { 200: z.array(Bid) },
  },
  createBid: {
    name: 'createBid',
    method: 'POST',
    path: '/tenders/:tender_id/bids',
    owner: 'bids',
    spore: 'post_collection_tender bids',
    summary: 'Submit a bid',
    description:
      'Possible during the tender period, with an API key of accreditation level 2. `value`, or `lotValues` if the tender has lots. The answer holds the token of the bidder. The bid stays sealed until qualification begins.',
    segments,
    body: BidInput,
    bodyBySegment: { '2.3': EarlyBidInput, '0': EarlyBidInput, '0.1': EarlyBidInput },
    responses: { 201: Bid },
    access: true,
  },
  getBid: {
    name: 'getBid',
    method: 'GET',
    path: '/tenders/:tender_id/bids/:bid_id',
    owner: 'bids',
    spore: 'get_tender bids',
    summary: 'A bid, for its owner; for everyone once it is open',
    description: 'Before bids are opened only the owner sees a bid, with its token.',
    segments,
    sealed: true,
    responses: { 200: Bid },
  },
  patchBid: {
    name: 'patchBid',
    method: 'PATCH',
    path: '/tenders/:tender_id/bids/:bid_id',
    owner: 'bids',
    spore: 'patch_tender bids',
    summary: 'Change a bid',
    description:
      'The owner changes the bid during the tender period: tenderers, value, lot values, parameters, or a draft to `active`. A change of the amount renews `date`.',
    segments,
    body: BidPatch,
    bodyBySegment: { '2.3': EarlyBidPatch, '0': EarlyBidPatch, '0.1': EarlyBidPatch },
    responses: { 200: Bid },
  },
  deleteBid: {
    name: 'deleteBid',
    method: 'DELETE',
    path: '/tenders/:tender_id/bids/:bid_id',
    owner: 'bids',
    spore: 'delete_tender bids',
    summary: 'Withdraw a bid',
    description: 'Withdraws the bid and its documents during the tender period. The answer is the bid as it was.',
    segments,
    responses: { 200: Bid },
  },
} as const satisfies Record<string, RouteContract>;
