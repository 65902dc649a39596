import { BidRegistered } from '@procurement/contracts/events/bid.events';
import type pg from 'pg';
import type { Ownership } from '@procurement/domain/ownership';

/** Owners of the active bids of a tender, from the local replica. */
export type BiddersOf = (tenderId: string) => Promise<readonly Ownership[]>;

const SELECT_BIDS = `SELECT facts FROM replica WHERE kind = 'bid' AND facts::json ->> 'tenderId' = $1`;

/** Drafts and withdrawn bids are left out: they give no right to complain (bids-awards-auction.md 3.7). */
export function biddersReader(pool: pg.Pool): BiddersOf {
  return async (tenderId) => {
    const { rows } = await pool.query<{ facts: string }>({ name: 'bidders', text: SELECT_BIDS, values: [tenderId] });
    return rows
      .map(({ facts }) => BidRegistered.parse(JSON.parse(facts)))
      .filter((bid) => bid.status === 'active')
      .map((bid) => ({ owner: bid.owner, tokenHash: bid.ownerTokenHash }));
  };
}
