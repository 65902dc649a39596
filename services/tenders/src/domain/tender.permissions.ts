import { isFinal } from '@procurement/domain/tender-status';
import type { Actor } from '@procurement/contracts/api/actor';
import type { TenderRole } from '@procurement/domain/roles';
import type { StoredTender, TenderStatus } from '@procurement/contracts/resources/tender';

/** Whether the caller's group may create tenders, questions and complaints (tenders.md 1.6). */
export function mayCreate(actor: Actor): boolean {
  return actor.group === 'brokers' || actor.group === 'admins';
}

/** Whether the caller lacks level 1. Levels do not include each other (tenders.md 1.4). */
export function lacksCreationLevel(actor: Actor): boolean {
  return actor.group !== 'admins' && !actor.levels.includes('1');
}

type Member = keyof StoredTender;

/** The "owner edit" column of tenders.md 3.1. `kind` of the procuring entity cannot be changed (tenders.md 3.3). */
export const OWNER_EDITS = [
  'title',
  'title_en',
  'title_ru',
  'description',
  'description_en',
  'description_ru',
  'procurementMethodRationale',
  'procurementMethodRationale_en',
  'procurementMethodRationale_ru',
  'procurementMethodDetails',
  'awardCriteriaDetails',
  'awardCriteriaDetails_en',
  'awardCriteriaDetails_ru',
  'submissionMethodDetails',
  'submissionMethodDetails_en',
  'submissionMethodDetails_ru',
  'eligibilityCriteria',
  'eligibilityCriteria_en',
  'eligibilityCriteria_ru',
  'mainProcurementCategory',
  'milestones',
  'hasEnquiries',
  'numberOfBidders',
  'procuringEntity',
  'value',
  'minimalStep',
  'guarantee',
  'items',
  'features',
  'enquiryPeriod',
  'tenderPeriod',
] as const satisfies readonly Member[];

/** The owner also plans the awards on segment 0.1 (generations.md 4, award-period). */
const OWNER_EDITS_ON_0_1: readonly Member[] = [...OWNER_EDITS, 'awardPeriod'];

/**
 * The members that take effect, by role and status (tenders.md 1.7). Others are validated and ignored, and the answer names them
 * (rulings R40).
 */
export function editableMembers(
  role: TenderRole,
  status: TenderStatus,
  segment = '2.5',
  hasAuction = true,
): readonly Member[] {
  const members = selectMembers(role, status, segment);
  return hasAuction ? members : members.filter((member) => !OF_AUCTIONS.has(member));
}

/** A PATCH of the tender changes nothing else of `lots` than their auction periods. */
const OF_AUCTIONS: ReadonlySet<Member> = new Set(['auctionPeriod', 'lots']);

function selectMembers(role: TenderRole, status: TenderStatus, segment: string): readonly Member[] {
  switch (role) {
    case 'tender_owner':
      if (status === 'draft') return ['status'];
      if (status !== 'active.enquiries') return [];
      return segment === '0.1' ? OWNER_EDITS_ON_0_1 : OWNER_EDITS;
    case 'Administrator':
      return ['status', 'mode', 'procuringEntity', 'auctionPeriod', 'lots'];
    case 'chronograph':
      return isFinal(status) ? [] : ['auctionPeriod', 'lots'];
    case 'stranger':
      return [];
    default:
      return role satisfies never;
  }
}
