import { batchReads } from '@procurement/kit/database/batch-reads';
import type pg from 'pg';
import { z } from 'zod';
import type { Auction } from '../domain/auction.ts';
import { parseState } from './auction.row.ts';
import { ALIVE_FOR } from './replicas.store.ts';

export interface StoredState {
  readonly auction: Auction;
  /** The same as in the store of auctions. */
  readonly aheadMicros: number;
  /** There was, or may be, an outage that the auction has not seen. */
  readonly isBehind: boolean;
}

export interface ReadStatesDeps {
  readonly pool: pg.Pool;
  readonly replicaId: string;
  readonly knownState: (auctionId: string) => Auction | undefined;
}

// The state only when it is another than the caller knows: reading one from its text takes long.
const STATES = `SELECT id, ahead_micros::text AS "aheadMicros", CASE WHEN auction.seq = known.seq THEN NULL ELSE state END AS state,
    outages_seen < (SELECT coalesce(max(number), 0) FROM outage)
      OR NOT EXISTS (SELECT FROM replica WHERE id = $3 AND alive_at > clock_timestamp() - ${ALIVE_FOR}) AS "isBehind"
  FROM auction JOIN unnest($1::text[], $2::int[]) AS known (id, seq) USING (id)`;

const States = z.array(
  z.object({
    id: z.string(),
    aheadMicros: z.coerce.number().int(),
    state: z.string().nullable(),
    isBehind: z.boolean(),
  }),
);

/** Reads states as they are stored, without a lock: all that are asked for at the same time by one statement. */
export function readStates({ pool, replicaId, knownState }: ReadStatesDeps) {
  const readRow = batchReads(async (ids) => {
    const known = ids.map(knownState);
    const values = [ids, known.map((auction) => auction?.seq ?? -1), replicaId];
    const rows = States.parse((await pool.query({ name: 'read-auctions', text: STATES, values })).rows);
    const knownById = new Map(ids.map((id, index) => [id, known[index]]));
    return new Map(rows.map((row) => [row.id, { row, known: knownById.get(row.id) }]));
  });

  return async (auctionId: string): Promise<StoredState | undefined> => {
    const found = await readRow(auctionId);
    if (found === undefined) return undefined;
    const { state, aheadMicros, isBehind } = found.row;
    const auction = state === null ? found.known : parseState(state);
    if (auction === undefined) throw new Error(`no state of auction ${auctionId}`);
    return { auction, aheadMicros, isBehind };
  };
}
