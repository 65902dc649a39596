import { isFinal } from '@procurement/domain/tender-status';
import { owns, type Ownership } from '@procurement/domain/ownership';
import type { Actor } from '@procurement/contracts/api/actor';
import { tenderRoleOf, type TenderRole } from '@procurement/domain/roles';
import type { Awarding, AwardSettings } from './awarding.ts';

/** The token issued for a contract counts like the tender's token, for that contract only (clients.md). */
export function contractRoleOf({ tender, contractOwners }: Awarding, contract: string, actor: Actor): TenderRole {
  const ownership = contractOwners[contract];
  return ownership !== undefined && owns(actor, ownership) ? 'tender_owner' : tenderRoleOf(tender, actor);
}

/** Bidders of the tender may file complaints about its awards, with the token of any bid (bids-awards-auction.md 3.7). */
export function mayComplain(actor: Actor, bidders: readonly Ownership[]): boolean {
  return actor.group === 'admins' || bidders.some((bidder) => owns(actor, bidder));
}

/** Whether the status of the tender is not checked for this caller: older segments with open guards (rulings R3). */
export function guardsAreOpen(actor: Actor, settings: AwardSettings, status: string): boolean {
  return settings.legacyGuardsOpen && actor.segment !== '2.5' && status !== 'draft' && !isFinal(status);
}
