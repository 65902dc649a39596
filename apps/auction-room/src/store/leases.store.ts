import type pg from 'pg';
import { z } from 'zod';

/** Number of shards; an auction belongs to one by its id. */
export const SHARDS = 64;

/** What a leader shows in each of its transactions (auction-room.md 6.2). */
export interface Lease {
  readonly shard: number;
  readonly epoch: number;
}

/** The leases of one replica. */
export interface LeasesStore {
  /** Prolongs the leases that this replica holds, and answers them: shards that another took meanwhile are missing. */
  renew(): Promise<readonly Lease[]>;
  /** Takes at most `max` shards that nobody leads. */
  take(max: number): Promise<readonly Lease[]>;
  release(shards: readonly number[]): Promise<void>;
}

/** The lease is another replica's. The transaction ends, and nothing of it is stored. */
export class FencedError extends Error {
  constructor({ shard, epoch }: Lease) {
    super(`shard ${shard} is no longer led under epoch ${epoch}`);
    this.name = 'FencedError';
  }
}

/** Length of a lease, as SQL: a replica that died is replaced after that time at the latest. */
const TTL = `interval '6 s'`;
const RENEW = `UPDATE lease SET until = clock_timestamp() + ${TTL} WHERE holder = $1 RETURNING shard, epoch::int AS epoch`;
const TAKE = `UPDATE lease SET holder = $1, epoch = epoch + 1, until = clock_timestamp() + ${TTL}
  WHERE shard IN (SELECT shard FROM lease WHERE until < clock_timestamp() ORDER BY random() LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING shard, epoch::int AS epoch`;
const RELEASE = `UPDATE lease SET holder = NULL, until = '-infinity' WHERE holder = $1 AND shard = ANY($2::int[])`;
// A takeover updates the row and waits for this lock: after it no transaction of the old leader can commit.
const FENCE = 'SELECT FROM lease WHERE shard = $1 AND holder = $2 AND epoch = $3 FOR SHARE';

const Leases = z.array(z.object({ shard: z.number().int(), epoch: z.number().int() }));

export function leasesStore(pool: pg.Pool, replicaId: string): LeasesStore {
  return {
    async renew() {
      return Leases.parse((await pool.query(RENEW, [replicaId])).rows);
    },
    async take(max) {
      return Leases.parse((await pool.query(TAKE, [replicaId, max])).rows);
    },
    async release(shards) {
      await pool.query(RELEASE, [replicaId, shards]);
    },
  };
}

/** Ends the transaction of a leader that another has replaced. Throws FencedError. */
export async function requireLease(tx: pg.PoolClient, replicaId: string, lease: Lease): Promise<void> {
  const { rowCount } = await tx.query(FENCE, [lease.shard, replicaId, lease.epoch]);
  if (rowCount === 0) throw new FencedError(lease);
}
