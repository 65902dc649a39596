import type { BidRegistered } from '@procurement/contracts/events/bid.events';
import type { AwardFacts, AwardRecord } from '@procurement/contracts/resources/award-facts';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { ParentKind, ParentState } from './document.ts';

/** This service's copies of a tender and of the objects below it. */
export interface ParentFacts {
  readonly tender: TenderFacts;
  /** The bid of the path. */
  readonly bid?: BidRegistered | undefined;
  readonly awards?: AwardFacts | undefined;
  readonly bidsOpened: boolean;
}

/** Ids that a path names, by the names that error entries use. */
export interface PathIds {
  readonly tender_id?: string;
  readonly bid_id?: string;
  readonly award_id?: string;
  readonly complaint_id?: string;
  readonly cancellation_id?: string;
  readonly contract_id?: string;
}

/** The kind of the object that a path names and that does not exist: `award` for `award_id`. */
export interface MissingObject {
  readonly missing: 'tender' | 'bid' | 'award' | 'complaint' | 'cancellation' | 'contract';
}

/** The parent that a path names, or the outermost object of the path that does not exist. */
export function resolveParent(kind: ParentKind, ids: PathIds, facts: ParentFacts): ParentState | MissingObject {
  const { tender, awards, bidsOpened } = facts;
  const frame = { tender, bidsOpened };
  switch (kind) {
    case 'tender':
      return { ...frame, parent: { kind, id: tender.id } };
    case 'bid':
      return resolveBid(ids, facts);
    case 'cancellation': {
      const cancellation = tender.cancellations?.find(({ id }) => id === ids.cancellation_id);
      if (cancellation === undefined) return { missing: 'cancellation' };
      return { ...frame, parent: { kind, id: cancellation.id } };
    }
    case 'complaint': {
      const complaint = tender.complaints?.find(({ id }) => id === ids.complaint_id);
      if (complaint === undefined) return { missing: 'complaint' };
      const { id, status, owner, ownerTokenHash: tokenHash } = complaint;
      return { ...frame, parent: { kind, id }, status, ownership: { owner, tokenHash } };
    }
    case 'award': {
      const award = awards?.awards.find(({ id }) => id === ids.award_id);
      if (award === undefined) return { missing: 'award' };
      return { ...frame, parent: { kind, id: award.id }, ...lotIdMember(award) };
    }
    case 'award complaint':
      return resolveAwardComplaint(ids, facts);
    case 'contract':
      return resolveContract(ids, facts);
    default:
      return kind satisfies never;
  }
}

/** Status of a withdrawn bid and of a draft removed at the closing. Such a bid is a 404 for every caller. */
const DELETED = 'deleted';

function resolveBid(ids: PathIds, { tender, bid, awards, bidsOpened }: ParentFacts): ParentState | MissingObject {
  if (bid === undefined || bid.id !== ids.bid_id || bid.tenderId !== tender.id || bid.status === DELETED) {
    return { missing: 'bid' };
  }
  // Bids of a tender that was cancelled before they were opened are erased (tenders.md 14).
  if (tender.status === 'cancelled' && !bidsOpened) return { missing: 'bid' };
  const isPending = (award: AwardRecord): boolean => award.bid_id === bid.id && award.status === 'pending';
  return {
    tender,
    bidsOpened,
    parent: { kind: 'bid', id: bid.id },
    status: bid.status,
    ownership: { owner: bid.owner, tokenHash: bid.ownerTokenHash },
    hasPendingAward: awards?.awards.some(isPending) ?? false,
  };
}

function resolveAwardComplaint(ids: PathIds, { tender, awards, bidsOpened }: ParentFacts): ParentState | MissingObject {
  const award = awards?.awards.find(({ id }) => id === ids.award_id);
  if (award === undefined) return { missing: 'award' };
  const complaint = award.complaints?.find(({ id }) => id === ids.complaint_id);
  if (complaint === undefined) return { missing: 'complaint' };
  // No known owner, so no token can match.
  const complaintOwner = awards?.complaintOwners?.[complaint.id];
  return {
    tender,
    bidsOpened,
    parent: { kind: 'award complaint', id: complaint.id },
    status: complaint.status,
    ...lotIdMember(award),
    ...(complaintOwner === undefined
      ? {}
      : { ownership: { owner: complaintOwner.owner, tokenHash: complaintOwner.ownerTokenHash } }),
  };
}

function resolveContract(ids: PathIds, { tender, awards, bidsOpened }: ParentFacts): ParentState | MissingObject {
  const contract = awards?.contracts.find(({ id }) => id === ids.contract_id);
  if (contract === undefined) return { missing: 'contract' };
  const award = awards?.awards.find(({ id }) => id === contract.awardID);
  const { id, implementation } = contract;
  const changes = implementation?.changes ?? [];
  const own = awards?.contractOwners?.[id];
  const isTakenOver = own?.isTakenOver === true;
  const parent = { kind: 'contract', id } as const;
  const frame = { tender, bidsOpened, parent, changes, isTakenOver, ...lotIdMember(award) };
  // The signed contract stays `active` when it is terminated (contracting.md 2.3).
  if (ids.tender_id !== undefined) return { ...frame, status: contract.status };
  return {
    ...frame,
    status: implementation?.status ?? contract.status,
    items: readItems(contract),
    standalone: true,
    ...(own === undefined ? {} : { ownership: { owner: own.owner, tokenHash: own.ownerTokenHash } }),
  };
}

/** The items of a contract, of which other services read no more than the ids. */
function readItems(contract: Readonly<Record<string, unknown>>): readonly { readonly id?: string | undefined }[] {
  const { items } = contract;
  return Array.isArray(items) ? items.map((item: { readonly id?: string }) => ({ id: item.id })) : [];
}

function lotIdMember(award: AwardRecord | undefined): { readonly lotId?: string } {
  return award?.lotID === undefined ? {} : { lotId: award.lotID };
}
