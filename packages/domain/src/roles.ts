import type { Actor } from '@procurement/contracts/api/actor';
import type { ComplaintRole } from './complaints.ts';
import { owns, type Owned } from './ownership.ts';

/** What a caller is to a tender, its awards and its contracts (tenders.md 1.5, bids-awards-auction.md 0.2). */
export type TenderRole = 'tender_owner' | 'Administrator' | 'chronograph' | 'stranger';

/** Groups with a role in every tender. `admins` have the rights of the owner (tenders.md 1.6). */
const ROLE_OF_GROUP: ReadonlyMap<string, TenderRole> = new Map([
  ['Administrator', 'Administrator'],
  ['chronograph', 'chronograph'],
  ['admins', 'tender_owner'],
]);

interface OwnedTender {
  readonly owner: string;
  readonly ownerTokenHash: string;
}

/** The caller's role: owner by broker name and token, else by group. */
export function tenderRoleOf({ owner, ownerTokenHash }: OwnedTender, actor: Actor): TenderRole {
  if (owns(actor, { owner, tokenHash: ownerTokenHash })) return 'tender_owner';
  return ROLE_OF_GROUP.get(actor.group) ?? 'stranger';
}

/** The holder of the tokens of one contract. */
interface OwnedContract extends Owned {
  /** Another broker has taken the contract over: the tender's token opens it no more. */
  readonly isTakenOver?: boolean | undefined;
}

/** The broker that owns a contract: that of its tender, until another one takes the contract over (contracting.md 8). */
export function contractOwnerOf(tender: Pick<OwnedTender, 'owner'>, own: OwnedContract | undefined): string {
  return own?.isTakenOver === true ? own.owner : tender.owner;
}

/**
 * The caller's role in one contract. The token issued for it counts like the tender's token (clients.md), and alone once the contract
 * was taken over. A token issued to a former owner of the tender opens nothing.
 */
export function contractRoleOf(tender: OwnedTender, own: OwnedContract | undefined, actor: Actor): TenderRole {
  if (own?.isTakenOver === true) return tenderRoleOf({ owner: own.owner, ownerTokenHash: own.tokenHash }, actor);
  const isCurrent = own !== undefined && own.owner === tender.owner;
  return isCurrent && owns(actor, own) ? 'tender_owner' : tenderRoleOf(tender, actor);
}

/**
 * The caller's role in one complaint about a tender or an award. The owner of the complaint comes before the reviewer, and
 * both before the owner of the tender. The chronograph has no role in complaints. `ownership` is `undefined` for a complaint
 * without a known owner.
 */
export function complaintRoleOf(
  tender: OwnedTender,
  ownership: Owned | undefined,
  actor: Actor,
): ComplaintRole | 'Administrator' | 'stranger' {
  if (ownership !== undefined && owns(actor, ownership)) return 'complaint_owner';
  if (actor.group === 'reviewers') return 'reviewers';
  const role = tenderRoleOf(tender, actor);
  return role === 'chronograph' ? 'stranger' : role;
}
