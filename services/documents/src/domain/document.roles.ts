import { owns } from '@procurement/domain/ownership';
import type { Actor } from '@procurement/contracts/api/actor';
import type { ParentKind, ParentState } from './document.ts';

/** Who the caller is to what documents hang off; the word that is kept as their `author` (tenders.md 1.5). */
export type DocumentRole =
  | 'tender_owner'
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

/** Role of the owner of what has an owner of its own. */
const OWNER_ROLE: Readonly<Partial<Record<ParentKind, DocumentRole>>> = {
  bid: 'bid_owner',
  complaint: 'complaint_owner',
  'award complaint': 'complaint_owner',
};

/**
 * The role of a caller at one place, looked up from the object outwards (http.md 3.4). Only the token of that very bid makes
 * a bid owner. `admins` do what the owner may; of a complaint that is the owner of the tender (tenders.md 1.6).
 */
export function documentRoleOf({ tender, parent, ownership }: ParentState, actor: Actor): DocumentRole {
  const ownerRole = OWNER_ROLE[parent.kind];
  if (ownerRole !== undefined && ownership !== undefined && owns(actor, ownership)) return ownerRole;
  if (owns(actor, { owner: tender.owner, tokenHash: tender.ownerTokenHash })) return 'tender_owner';
  if (actor.group === 'admins') return parent.kind === 'bid' ? 'bid_owner' : 'tender_owner';
  return ROLE_OF_GROUP.get(actor.group) ?? 'stranger';
}

/** Whether the caller owns the parent itself, which is who sees sealed documents. */
export function ownsParent({ ownership }: ParentState, actor: Actor): boolean {
  return ownership !== undefined && owns(actor, ownership);
}
