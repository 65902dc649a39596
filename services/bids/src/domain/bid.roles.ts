import type { Actor } from '@procurement/contracts/api/actor';

/** Who the caller is to a bid (bids-awards-auction.md 0.2). */
export type BidRole = 'bid_owner' | 'Administrator' | 'stranger';

/** Groups that may change bids without owning them; `admins` change as an owner does. */
const ROLE_OF_GROUP: ReadonlyMap<string, BidRole> = new Map([
  ['Administrator', 'Administrator'],
  ['admins', 'bid_owner'],
]);

/** Only the token of the bid itself makes an owner, and only with the name of the broker that it was given to. */
export function bidRoleOf({ group }: Actor, owns: boolean): BidRole {
  return owns ? 'bid_owner' : (ROLE_OF_GROUP.get(group) ?? 'stranger');
}
