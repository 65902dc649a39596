import { owns } from '@procurement/domain/ownership';
import { contractRoleOf } from '@procurement/domain/roles';
import type { Actor } from '@procurement/contracts/api/actor';
import type { ParentKind, ParentState } from './document.ts';

/** Role of the caller for one parent; stored as the `author` of documents (tenders.md 1.5). */
export type DocumentRole =
  | 'tender_owner'
  | 'contract_owner'
  | 'bid_owner'
  | 'complaint_owner'
  | 'auction'
  | 'bots'
  | 'reviewers'
  | 'Administrator'
  | 'stranger';

const ROLE_OF_GROUP: ReadonlyMap<string, DocumentRole> = new Map([
  ['auction', 'auction'],
  ['bots', 'bots'],
  ['reviewers', 'reviewers'],
  ['Administrator', 'Administrator'],
]);

/** Role of the owner of a parent that is not owned by the tender's owner. */
const OWNER_ROLE: Readonly<Partial<Record<ParentKind, DocumentRole>>> = {
  bid: 'bid_owner',
  complaint: 'complaint_owner',
  'award complaint': 'complaint_owner',
};

/** Whether parents of this kind belong to a broker of their own, who is not the owner of the tender. */
export function hasOwnOwner(kind: ParentKind): boolean {
  return OWNER_ROLE[kind] !== undefined;
}

/**
 * The role of a caller for one parent, determined from the parent outwards (http.md 3.4). A bid owner must send the token of
 * that bid. `admins` have the rights of the owner; for a complaint, those of the tender's owner (tenders.md 1.6).
 */
export function documentRoleOf(parentState: ParentState, actor: Actor): DocumentRole {
  const { tender, parent, ownership, standalone, isTakenOver = false } = parentState;
  if (standalone !== undefined) return roleOfContract(parentState, actor);
  const ownerRole = OWNER_ROLE[parent.kind];
  if (ownerRole !== undefined && ownership !== undefined && owns(actor, ownership)) return ownerRole;
  if (!isTakenOver && owns(actor, { owner: tender.owner, tokenHash: tender.ownerTokenHash })) return 'tender_owner';
  if (actor.group === 'admins') return parent.kind === 'bid' ? 'bid_owner' : 'tender_owner';
  return ROLE_OF_GROUP.get(actor.group) ?? 'stranger';
}

/** The role for a contract at its own address. */
function roleOfContract({ tender, ownership, isTakenOver }: ParentState, actor: Actor): DocumentRole {
  const own = ownership === undefined ? undefined : { ...ownership, isTakenOver };
  if (contractRoleOf(tender, own, actor) === 'tender_owner') return 'contract_owner';
  return ROLE_OF_GROUP.get(actor.group) ?? 'stranger';
}

/** Whether the caller owns the parent itself. Only such a caller may see sealed documents. */
export function ownsParent({ ownership }: ParentState, actor: Actor): boolean {
  return ownership !== undefined && owns(actor, ownership);
}
