import type { Instant } from '@procurement/contracts/reading/instant';
import { transact } from '@procurement/kit/database/transaction';
import type pg from 'pg';
import { z } from 'zod';

/** The processes of the room, and the times in which none worked (auction-room.md 4.4). */
export interface ReplicasStore {
  /** Writes that this replica works. False when it wrote nothing for 3 s: it has to look for an outage first. */
  recordHeartbeat(): Promise<boolean>;
  /** Records an outage when no replica wrote for 3 s, and writes that this one works. Answers the outage. */
  detectOutage(): Promise<Outage | undefined>;
  /** Number of replicas that work. */
  countAlive(): Promise<number>;
}

export interface Outage {
  readonly number: number;
  readonly awayFrom: Instant;
  readonly awayUntil: Instant;
}

export interface ReplicaIdentity {
  /** UUID of the process. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
}

/** An arbitrary number: two replicas must not record one outage twice. */
export const OUTAGE_LOCK = 727_073_701;
/** How long a silent replica counts as working, as SQL. */
export const ALIVE_FOR = `interval '3 s'`;

const RECORD_HEARTBEAT = `UPDATE replica SET alive_at = clock_timestamp() WHERE id = $1 AND alive_at > clock_timestamp() - ${ALIVE_FOR}`;
const RECORD_OUTAGE = `INSERT INTO outage (number, away_from, away_until)
  SELECT coalesce((SELECT max(number) FROM outage), 0) + 1, micros(max(alive_at)), micros(clock_timestamp())
  FROM replica HAVING max(alive_at) <= clock_timestamp() - ${ALIVE_FOR}
  RETURNING number, away_from::text AS "awayFrom", away_until::text AS "awayUntil"`;
const JOIN = `INSERT INTO replica (id, name, started_at, alive_at) VALUES ($1, $2, clock_timestamp(), clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET alive_at = clock_timestamp()`;
const REMOVE_OLD = `DELETE FROM replica WHERE alive_at < clock_timestamp() - interval '1 day'`;
const LIVING = `SELECT count(*)::int AS living FROM replica WHERE alive_at > clock_timestamp() - ${ALIVE_FOR}`;

// Safe cast: microseconds are an instant.
const instant = z.coerce
  .number()
  .int()
  .transform((micros) => micros as Instant);
export const OutageRow = z.object({ number: z.number().int(), awayFrom: instant, awayUntil: instant });
const Living = z.tuple([z.object({ living: z.number().int() })]);

export function replicasStore(pool: pg.Pool, { id, name }: ReplicaIdentity): ReplicasStore {
  return {
    async recordHeartbeat() {
      const { rowCount } = await pool.query(RECORD_HEARTBEAT, [id]);
      return rowCount === 1;
    },
    async detectOutage() {
      return transact(pool, async (tx) => {
        await tx.query('SELECT pg_advisory_xact_lock($1)', [OUTAGE_LOCK]);
        const { rows } = await tx.query(RECORD_OUTAGE);
        await tx.query(JOIN, [id, name]);
        // The newest row says until when somebody worked. Old ones say nothing more: this replica is newer.
        await tx.query(REMOVE_OLD);
        return rows.length === 0 ? undefined : OutageRow.parse(rows[0]);
      });
    },
    async countAlive() {
      const { rows } = await pool.query(LIVING);
      const [{ living }] = Living.parse(rows);
      return living;
    },
  };
}
