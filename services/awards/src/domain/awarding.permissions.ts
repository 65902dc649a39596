import { owns, type Owned } from '@procurement/domain/ownership';
import type { Actor } from '@procurement/contracts/api/actor';
import { tenderRoleOf, type TenderRole } from '@procurement/domain/roles';
import type { Awarding } from './awarding.ts';

/** The token issued for a contract counts like the tender's token, for that contract only (clients.md). */
export function contractRoleOf({ tender, contractOwners }: Awarding, contract: string, actor: Actor): TenderRole {
  const ownership = contractOwners[contract];
  return ownership !== undefined && owns(actor, ownership) ? 'tender_owner' : tenderRoleOf(tender, actor);
}

/** Bidders of the tender may file complaints about its awards, with the token of any bid (bids-awards-auction.md 3.7). */
export function mayComplain(actor: Actor, bidders: readonly Owned[]): boolean {
  return actor.group === 'admins' || bidders.some((bidder) => owns(actor, bidder));
}
