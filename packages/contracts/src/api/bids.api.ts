import { z } from 'zod';
import { Bid, BidInput, BidPatch, EarlyBidInput, EarlyBidPatch } from '../resources/bid.ts';
import { BidReceipt } from '../resources/bid-receipt.ts';
import type { RouteContract } from './route.ts';

/** The seal of a tender: its text and the bids as they were closed (docs/spec/proof.md 5.2). */
const DisclosedSeal = z
  .object({
    seal: z.string(),
    bids: z.array(
      z.object({
        id: z.string(),
        version: z.int(),
        salt: z.string().nullable(),
        text: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'DisclosedSeal' });

const BID = 'a1'.repeat(16);
const SEAL = [
  'procurement-seal/1',
  'tender 5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30',
  'end 1773655200000000',
  'at 1773655200213000',
  `salt ${'0d'.repeat(32)}`,
  // SHA-256 of salt and text below.
  `bid ${BID} 2 20e4d284502a325ffe76997c42becdcf27d0a412e029ff0493160f8f2b662853`,
  '',
].join('\n');

const segments = ['2.5', '2.3', '0', '0.1'] as const;

/** A case of docs/spec/proof/receipts.json. */
const RECEIPT = {
  receipt: `procurement-receipt/1\nlog procurement.example/log\nseen 1778591400500000\ntender 7a1e7a1e7a1e7a1e7a1e7a1e7a1e7a1e\nbid a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1\nversion 2\nstate active\nat 1778591400000000\nsha256 cb1ff51774006b2910e7d64f649fe3bcd87529b9b8a6ce2e9d41a1521dd8f75d\nsalt d0d0c6122114cc62ef9c80e8832311ac331ed21d2a697ed51b167692c58b4345\n\n\u2014 procurement.example/log/bids rB5CIRIY5N73UO98dzZaIbnhRMuwg5iE6sJ6TEO8ZR1/fkTxLeonNggNotyebVAclDNelBC9wEy7el/YJkYQ5TqlIAs=\n`,
  text: '{"id":"a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1","status":"active","date":"2026-05-12T16:10:00.000000+03:00","tenderers":[{"name":"Bidder 1","identifier":{"scheme":"UA-EDR","id":"00000001"}}],"value":{"amount":469.5,"currency":"UAH","valueAddedTaxIncluded":true}}',
};

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
    receipt: true,
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
  getBidReceipt: {
    name: 'getBidReceipt',
    method: 'GET',
    path: '/tenders/:tender_id/bids/:bid_id/receipt',
    owner: 'bids',
    spore: 'get_tender bid receipt',
    summary: 'Proof that a bid was accepted',
    description:
      'For the owner of the bid, with its token, until bids are opened: a signed receipt of the bid as it is stored now, and the stored text, from which its digest is made. Keep both: they prove later that the bid was accepted as it was.',
    segments: ['2.5'],
    sealed: true,
    responses: { 200: BidReceipt },
    example: { data: RECEIPT },
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
    receipt: true,
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
    receipt: true,
    responses: { 200: Bid },
  },
  getBidsSeal: {
    name: 'getBidsSeal',
    method: 'GET',
    path: '/tenders/:tender_id/bids_seal',
    owner: 'bids',
    spore: 'get_tender bids_seal',
    summary: 'Bids as they were closed',
    description:
      'The text whose SHA-256 `bidsSeal` of the tender has had since the closing, and each bid as it was then, with its salt: SHA-256 of salt and text is the digest in the line of the bid. 404 until the bids are opened. A bid that was removed by law has null for both. `verify-procurement opening` checks all of it.',
    segments: ['2.5'],
    unchanged: true,
    responses: { 200: DisclosedSeal },
    example: { data: { seal: SEAL, bids: [{ id: BID, version: 2, salt: '5c'.repeat(32), text: `{"id":"${BID}"}` }] } },
  },
} as const satisfies Record<string, RouteContract>;
