import type { Actor } from '@procurement/contracts/api/actor';

/** Role of the caller for one bid (bids-awards-auction.md 0.2). */
export type BidRole = 'bid_owner' | 'Administrator' | 'stranger';

/** Groups that may change bids without owning them. `admins` have the rights of the owner. */
const ROLE_OF_GROUP: ReadonlyMap<string, BidRole> = new Map([
  ['Administrator', 'Administrator'],
  ['admins', 'bid_owner'],
]);

/** The owner is the broker that registered the bid and sends the bid's own token. */
export function bidRoleOf({ group }: Actor, owns: boolean): BidRole {
  return owns ? 'bid_owner' : (ROLE_OF_GROUP.get(group) ?? 'stranger');
}
