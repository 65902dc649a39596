import type { Actor } from '@procurement/contracts/actor';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Awarding, AwardSettings, Ownership } from './awarding.ts';
import type { ComplaintRole } from './complaint.transitions.ts';

/** Who the caller is to the awards and contracts of a tender; `admins` do as its owner does (bids-awards-auction.md 0.2). */
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

/** The token that was given for a contract counts as the tender's does, for that contract (clients.md). */
export function contractRoleOf({ tender, contractOwners }: Awarding, contract: string, actor: Actor): AwardRole {
  const ownership = contractOwners[contract];
  return ownership !== undefined && owns(actor, ownership) ? 'tender_owner' : awardRoleOf(tender, actor);
}

/** Who the caller is to one complaint about an award (3.7). */
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

/** Only who bids for a tender may complain of its awards: by the token of any bid (3.7). */
export function mayComplain(actor: Actor, bidders: readonly Ownership[]): boolean {
  return actor.group === 'admins' || bidders.some((bidder) => owns(actor, bidder));
}

/** A broker that is still being tried out may touch test tenders only. */
export function isTestOnly(actor: Actor): boolean {
  return actor.group !== 'admins' && actor.levels.includes('t');
}

const FINAL: ReadonlySet<string> = new Set(['complete', 'cancelled', 'unsuccessful']);

export function isFinal(status: string): boolean {
  return FINAL.has(status);
}

/** Whether the status of the tender does not stand against an older segment here (rulings R3). */
export function guardsAreOpen(actor: Actor, settings: AwardSettings, status: string): boolean {
  return settings.legacyGuardsOpen && actor.segment !== '2.5' && status !== 'draft' && !isFinal(status);
}

/** A token counts only together with the name of the broker that it was given to. */
function owns(actor: Actor, { owner, tokenHash }: Ownership): boolean {
  return actor.broker === owner && sameHash(actor.tokenHash, tokenHash);
}

/** Compares every character, so that the time of an answer tells nothing of a token. Both are hashes already. */
function sameHash(given: string | undefined, stored: string): boolean {
  if (given === undefined || given.length !== stored.length) return false;
  let difference = 0;
  for (let at = 0; at < stored.length; at += 1) difference |= given.charCodeAt(at) ^ stored.charCodeAt(at);
  return difference === 0;
}
