import { owns, type Owned } from '@procurement/domain/ownership';
import type { Actor } from '@procurement/contracts/api/actor';
import { contractOwnerOf, contractRoleOf, type TenderRole } from '@procurement/domain/roles';
import type { Awarding } from './awarding.ts';

type Owners = Pick<Awarding, 'tender' | 'contractOwners'>;

/** The broker that owns a contract of this awarding. */
export function ownerOfContract({ tender, contractOwners }: Owners, contract: string): string {
  return contractOwnerOf(tender, contractOwners[contract]);
}

/** The caller's role in a contract of this awarding. */
export function roleInContract({ tender, contractOwners }: Owners, contract: string, actor: Actor): TenderRole {
  return contractRoleOf(tender, contractOwners[contract], actor);
}

/** Bidders of the tender may file complaints about its awards, with the token of any bid (bids-awards-auction.md 3.7). */
export function mayComplain(actor: Actor, bidders: readonly Owned[]): boolean {
  return actor.group === 'admins' || bidders.some((bidder) => owns(actor, bidder));
}
