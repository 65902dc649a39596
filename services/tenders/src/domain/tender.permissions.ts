import { isFinal } from '@procurement/domain/tender-status';
import { owns } from '@procurement/domain/ownership';
import type { Actor } from '@procurement/contracts/api/actor';
import type { ComplaintRole } from '@procurement/domain/complaints';
import type { StoredTender, TenderStatus } from '@procurement/contracts/resources/tender';
import type { TenderSettings, TenderState } from './tender.ts';

/** Who the caller is to this tender: its owner, or what its group makes of it (tenders.md 1.5). */
export type TenderRole = 'tender_owner' | 'Administrator' | 'chronograph' | 'stranger';

/** Groups that may change tenders without owning them; `admins` change as an owner does (tenders.md 1.6). */
const ROLE_OF_GROUP: Readonly<Record<string, TenderRole>> = {
  Administrator: 'Administrator',
  chronograph: 'chronograph',
  admins: 'tender_owner',
};

export function roleOf(tender: TenderState, actor: Actor): TenderRole {
  if (owns(actor, { owner: tender.owner, tokenHash: tender.ownerTokenHash })) return 'tender_owner';
  return Object.hasOwn(ROLE_OF_GROUP, actor.group) ? (ROLE_OF_GROUP[actor.group] ?? 'stranger') : 'stranger';
}

/** Who the caller is to one claim or complaint: the owner of the tender is that of others' complaints too (tenders.md 1.5). */
export function complaintRoleOf(
  tender: TenderState,
  complaint: string,
  actor: Actor,
): ComplaintRole | 'Administrator' | 'stranger' {
  const ownership = tender.complaintOwners[complaint];
  if (ownership !== undefined && owns(actor, ownership)) return 'complaint_owner';
  if (actor.group === 'reviewers') return 'reviewers';
  const role = roleOf(tender, actor);
  return role === 'chronograph' ? 'stranger' : role;
}

/** Whether this caller may create tenders, questions and complaints at all (tenders.md 1.6). */
export function mayCreate(actor: Actor): boolean {
  return actor.group === 'brokers' || actor.group === 'admins';
}

/** A level is a membership test, not a minimum (tenders.md 1.4). */
export function lacksCreationLevel(actor: Actor): boolean {
  return actor.group !== 'admins' && !actor.levels.includes('1');
}

/** Whether status and period do not stand against an older segment here (rulings R3). */
export function guardsAreOpen(actor: Actor, settings: TenderSettings, status: TenderStatus): boolean {
  return settings.legacyGuardsOpen && actor.segment !== '2.5' && status !== 'draft' && !isFinal(status);
}

type Member = keyof StoredTender;

/** The "owner edit" column of tenders.md 3.1. `kind` of the procuring entity stays (3.3). */
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

/** Which members take effect, by role and status (tenders.md 1.7). Others are read and passed over. */
export function editableMembers(role: TenderRole, status: TenderStatus): readonly Member[] {
  switch (role) {
    case 'tender_owner':
      return status === 'active.enquiries' ? OWNER_EDITS : [];
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
