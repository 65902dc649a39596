import { owns, type Owned } from '@procurement/domain/ownership';
import type { Actor } from '@procurement/contracts/api/actor';
import { tenderRoleOf, type TenderRole } from '@procurement/domain/roles';
import type { Awarding } from './awarding.ts';

/** The broker that owns a contract: that of its tender, until another one takes the contract over (contracting.md 8). */
export function contractOwnerOf({ tender, contractOwners }: Awarding, contract: string): string {
  const own = contractOwners[contract];
  return own?.isTakenOver === true ? own.owner : tender.owner;
}

/**
 * The caller's role in one contract. The token issued for it counts like the tender's token (clients.md), and alone once the contract
 * was taken over. A token issued to a former owner of the tender opens nothing.
 */
export function contractRoleOf(awarding: Awarding, contract: string, actor: Actor): TenderRole {
  const { tender, contractOwners } = awarding;
  const own = contractOwners[contract];
  if (own === undefined || own.owner !== contractOwnerOf(awarding, contract)) return tenderRoleOf(tender, actor);
  if (own.isTakenOver === true) return tenderRoleOf({ owner: own.owner, ownerTokenHash: own.tokenHash }, actor);
  return owns(actor, own) ? 'tender_owner' : tenderRoleOf(tender, actor);
}

/** Bidders of the tender may file complaints about its awards, with the token of any bid (bids-awards-auction.md 3.7). */
export function mayComplain(actor: Actor, bidders: readonly Owned[]): boolean {
  return actor.group === 'admins' || bidders.some((bidder) => owns(actor, bidder));
}
