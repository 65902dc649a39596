import type { BidRegistered } from '@procurement/contracts/events/bid.events';
import type { AwardFacts, AwardRecord } from '@procurement/contracts/resources/award-facts';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { ParentKind, ParentState } from './document.ts';

/** What this service knows of a tender and of what hangs off it. */
export interface ParentFacts {
  readonly tender: TenderFacts;
  /** The bid of the path. */
  readonly bid?: BidRegistered | undefined;
  readonly awards?: AwardFacts | undefined;
  readonly bidsOpened: boolean;
}

/** Ids that a path names, by the names that refusals give them. */
export interface PathIds {
  readonly bid_id?: string;
  readonly award_id?: string;
  readonly complaint_id?: string;
  readonly cancellation_id?: string;
  readonly contract_id?: string;
}

/** The object that a path names and that is not there: `award` of `award_id`. */
export interface MissingObject {
  readonly missing: 'bid' | 'award' | 'complaint' | 'cancellation' | 'contract';
}

/** Where documents of this path hang; the first object of the path that does not exist, outermost first. */
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
    case 'contract': {
      const contract = awards?.contracts.find(({ id }) => id === ids.contract_id);
      if (contract === undefined) return { missing: 'contract' };
      const award = awards?.awards.find(({ id }) => id === contract.awardID);
      return { ...frame, parent: { kind, id: contract.id }, status: contract.status, ...lotIdMember(award) };
    }
    default:
      return kind satisfies never;
  }
}

/** Statuses in which a bid is not there for anybody: withdrawn, or a draft that was never activated. */
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
  // Without an owner that is told nobody's token fits.
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

function lotIdMember(award: AwardRecord | undefined): { readonly lotId?: string } {
  return award?.lotID === undefined ? {} : { lotId: award.lotID };
}
