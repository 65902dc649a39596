import { BidRegistered } from '@procurement/contracts/events/bid.events';
import { owns, type Owned, type OwnerCredentials } from '@procurement/domain/ownership';
import type { Replica } from '@procurement/kit/messaging/consume/replica';
import type pg from 'pg';

/**
 * Owners of the active bids of a tender. A bid that belongs to the caller is requested from its owner again, and all of them are when
 * none does: the owner of a bid may have changed a moment ago (decision 0077). Throws UnavailableError (503) when none belongs to
 * the caller and the bids service does not answer.
 */
export type BiddersOf = (tenderId: string, caller: OwnerCredentials) => Promise<readonly Owned[]>;

const SELECT_BIDS = `SELECT facts FROM kit.replica WHERE kind = 'bid' AND facts::json ->> 'tenderId' = $1`;

/** Requests at once. */
const REQUESTS_MAX = 20;

/** Drafts and withdrawn bids are left out: they give no right to complain (bids-awards-auction.md 3.7). */
export function biddersReader(pool: pg.Pool, bids: Pick<Replica<BidRegistered>, 'current' | 'refresh'>): BiddersOf {
  async function readCurrent(stored: readonly BidRegistered[]): Promise<readonly BidRegistered[]> {
    const found: BidRegistered[] = [];
    for (let at = 0; at < stored.length; at += REQUESTS_MAX) {
      const some = stored.slice(at, at + REQUESTS_MAX);
      found.push(...(await Promise.all(some.map(async (bid) => (await bids.current(bid.id)) ?? bid))));
    }
    return found;
  }
  return async (tenderId, caller) => {
    const { rows } = await pool.query<{ facts: string }>({ name: 'bidders', text: SELECT_BIDS, values: [tenderId] });
    const stored = rows.map(({ facts }) => BidRegistered.parse(JSON.parse(facts)));
    const own = stored.find((bid) => owns(caller, ownershipOf(bid)));
    if (own === undefined && caller.tokenHash === undefined) return [];
    const current = own === undefined ? await readCurrent(stored) : [(await bids.refresh(own.id)) ?? own];
    return current.filter((bid) => bid.status === 'active').map(ownershipOf);
  };
}

function ownershipOf({ owner, ownerTokenHash: tokenHash }: BidRegistered): Owned {
  return { owner, tokenHash };
}
