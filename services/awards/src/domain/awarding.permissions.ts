import { isFinal } from '@procurement/domain/tender-status';
import { owns, type Ownership } from '@procurement/domain/ownership';
import type { Actor } from '@procurement/contracts/api/actor';
import type { ComplaintRole } from '@procurement/domain/complaints';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Awarding, AwardSettings } from './awarding.ts';

/** Role of the caller for the awards and contracts of a tender. `admins` act as its owner (bids-awards-auction.md 0.2). */
export type AwardRole = 'tender_owner' | 'chronograph' | 'Administrator' | 'stranger';

const ROLE_OF_GROUP: ReadonlyMap<string, AwardRole> = new Map([
  ['Administrator', 'Administrator'],
  ['chronograph', 'chronograph'],
  ['admins', 'tender_owner'],
]);

export function awardRoleOf(tender: TenderFacts, actor: Actor): AwardRole {
  if (owns(actor, { owner: tender.owner, tokenHash: tender.ownerTokenHash })) return 'tender_owner';
  return ROLE_OF_GROUP.get(actor.group) ?? 'stranger';
}

/** The token issued for a contract counts like the tender's token, for that contract only (clients.md). */
export function contractRoleOf({ tender, contractOwners }: Awarding, contract: string, actor: Actor): AwardRole {
  const ownership = contractOwners[contract];
  return ownership !== undefined && owns(actor, ownership) ? 'tender_owner' : awardRoleOf(tender, actor);
}

/** Role of the caller for one complaint about an award (bids-awards-auction.md 3.7). */
export function complaintRoleOf(
  { tender, complaintOwners }: Awarding,
  complaint: string,
  actor: Actor,
): ComplaintRole | 'Administrator' | 'stranger' {
  const ownership = complaintOwners[complaint];
  if (ownership !== undefined && owns(actor, ownership)) return 'complaint_owner';
  if (actor.group === 'reviewers') return 'reviewers';
  const role = awardRoleOf(tender, actor);
  return role === 'chronograph' ? 'stranger' : role;
}

/** Bidders of the tender may file complaints about its awards, with the token of any bid (bids-awards-auction.md 3.7). */
export function mayComplain(actor: Actor, bidders: readonly Ownership[]): boolean {
  return actor.group === 'admins' || bidders.some((bidder) => owns(actor, bidder));
}

/** Whether the status of the tender is not checked for this caller: older segments with open guards (rulings R3). */
export function guardsAreOpen(actor: Actor, settings: AwardSettings, status: string): boolean {
  return settings.legacyGuardsOpen && actor.segment !== '2.5' && status !== 'draft' && !isFinal(status);
}
