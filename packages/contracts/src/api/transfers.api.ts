import { Ownership, OwnershipInput, Transfer, TransferInput } from '../resources/transfer.ts';
import type { RouteContract } from './route.ts';

/** Only this segment answers `access.transfer`. */
const segments = ['2.5'] as const;

/** Transfers: what a broker prepares in order to take an object over (http.md 3.6). */
export const transfersApi = {
  createTransfer: {
    name: 'createTransfer',
    method: 'POST',
    path: '/transfers',
    owner: 'tenders',
    spore: 'post_transfers',
    summary: 'Prepare a change of owner',
    description:
      'Makes a new owner token and a new transfer token for an object that the caller will take over. Both are shown once. The transfer serves one object, and its maker only.',
    segments,
    body: TransferInput,
    responses: { 201: Transfer },
    access: true,
  },
  getTransfer: {
    name: 'getTransfer',
    method: 'GET',
    path: '/transfers/:transfer_id',
    owner: 'tenders',
    spore: 'get_transfer',
    summary: 'A transfer',
    description: 'When it was made or used, and for which object. No token and no broker is shown.',
    segments,
    responses: { 200: Transfer },
  },
} as const satisfies Record<string, RouteContract>;

const change = { method: 'POST', segments, body: OwnershipInput, responses: { 200: Ownership } } as const;
const effect =
  'Gives it to the broker that calls: its owner token and its transfer token become those of the transfer `id`. Needs the transfer token of the object, and that its owner has left (level `x`).';

/** Change of the owner of a tender, and of a complaint about it. */
export const tenderOwnershipApi = {
  changeTenderOwner: {
    ...change,
    name: 'changeTenderOwner',
    path: '/tenders/:tender_id/ownership',
    owner: 'tenders',
    spore: 'post_tender ownership',
    summary: 'Take a tender over',
    description: `${effect} For brokers of level 1, until the tender ends.`,
  },
} as const satisfies Record<string, RouteContract>;

export const complaintOwnershipApi = {
  changeComplaintOwner: {
    ...change,
    name: 'changeComplaintOwner',
    path: '/tenders/:tender_id/complaints/:complaint_id/ownership',
    owner: 'tenders',
    spore: 'post_tender complaint ownership',
    summary: 'Take a complaint over',
    description: `${effect} For brokers of level 2, until the tender ends.`,
  },
} as const satisfies Record<string, RouteContract>;

export const bidOwnershipApi = {
  changeBidOwner: {
    ...change,
    name: 'changeBidOwner',
    path: '/tenders/:tender_id/bids/:bid_id/ownership',
    owner: 'bids',
    spore: 'post_tender bid ownership',
    summary: 'Take a bid over',
    description: `${effect} For brokers of level 2, until the tender ends.`,
  },
} as const satisfies Record<string, RouteContract>;

export const contractOwnershipApi = {
  changeContractOwner: {
    ...change,
    name: 'changeContractOwner',
    path: '/contracts/:contract_id/ownership',
    owner: 'awards',
    spore: 'post_contract ownership',
    summary: 'Take a contract over',
    description: `${effect} For brokers of level 1, while the contract is pending or active; the tender stays with its owner.`,
  },
} as const satisfies Record<string, RouteContract>;

export const awardComplaintOwnershipApi = {
  changeAwardComplaintOwner: {
    ...change,
    name: 'changeAwardComplaintOwner',
    path: '/tenders/:tender_id/awards/:award_id/complaints/:complaint_id/ownership',
    owner: 'awards',
    spore: 'post_tender award complaint ownership',
    summary: 'Take a complaint about an award over',
    description: `${effect} For brokers of level 2, until the tender ends.`,
  },
} as const satisfies Record<string, RouteContract>;
