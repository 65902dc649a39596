import type { Instant } from '@procurement/contracts/reading/instant';
import { transact } from '@procurement/kit/database/transaction';
import type pg from 'pg';
import { z } from 'zod';
import type { Phase } from '../domain/auction.ts';
import { requireLease, type Lease } from './leases.store.ts';

/** A tender that has to be read. */
export interface DueReading {
  readonly tenderId: string;
  /** Number of the newest request that this reading answers. */
  readonly requested: number;
  readonly attempts: number;
}

/** An auction of a tender, as far as the follower needs it. */
export interface FollowedAuction {
  readonly id: string;
  readonly tenderId: string;
  readonly phase: Phase;
  readonly aheadMicros: number;
}

/** Who stopped the taking in of new auctions. */
export interface Stop {
  readonly since: string;
  readonly by: string;
  readonly reason: string;
}

/** The position in the feed, and the tenders that its rows ask to read: a killed follower misses none. */
export interface FollowStore {
  position(): Promise<{ readonly offset: string | undefined } | undefined>;
  /** Moves the position and stores what has to be read, in one transaction. Throws FencedError. */
  advance(page: {
    readonly offset: string;
    /** Tenders to be read in any case. */
    readonly wanted: readonly string[];
    /** Tenders to be read if the room has an auction of theirs that is not over. */
    readonly others: readonly string[];
    readonly lease: Lease;
  }): Promise<void>;
  request(tenderId: string): Promise<void>;
  dueReadings(now: Instant, max: number): Promise<readonly DueReading[]>;
  /** Keeps the reading due when the tender was requested again meanwhile. */
  finish(reading: DueReading, note: string | undefined): Promise<void>;
  postpone(reading: DueReading, dueAt: Instant, note: string): Promise<void>;
  auctionsOf(tenderId: string): Promise<readonly FollowedAuction[]>;
  /** Undefined while new auctions are taken in. */
  stopped(): Promise<Stop | undefined>;
  /** Stops the taking in of new auctions at all replicas. False when it was stopped already. */
  stop(by: string, reason: string): Promise<boolean>;
  /**
   * Takes in new auctions again. Reads again the tenders that were left meanwhile, whose note contains `note`, and those that are
   * being read. False when nothing was stopped.
   */
  resume(note: string): Promise<boolean>;
  /** Auctions that are not over: in a sandbox their time may be moved. */
  unfinished(): Promise<readonly FollowedAuction[]>;
}

/** Position of this room in the feed. */
const NAME = 'tenders';

const POSITION = 'SELECT "offset" FROM follow WHERE name = $1';
const MOVE = `INSERT INTO follow (name, "offset", read_at) VALUES ($1, $2, clock_timestamp())
  ON CONFLICT (name) DO UPDATE SET "offset" = excluded."offset", read_at = excluded.read_at`;
const REQUEST = `INSERT INTO tender_reading (tender_id, due_at)
  SELECT DISTINCT one.id, 0::bigint FROM unnest($1::text[]) AS one (id)
  ON CONFLICT (tender_id) DO UPDATE SET requested = tender_reading.requested + 1, due_at = 0, attempts = 0`;
const KNOWN = `SELECT DISTINCT tender_id AS id FROM auction WHERE tender_id = ANY($1::text[]) AND phase NOT IN ('announced', 'cancelled')`;
const DUE = `SELECT tender_id AS "tenderId", requested, attempts FROM tender_reading WHERE due_at <= $1 ORDER BY due_at LIMIT $2`;
const FINISH =
  'UPDATE tender_reading SET due_at = NULL, attempts = 0, note = $3 WHERE tender_id = $1 AND requested = $2';
const POSTPONE = `UPDATE tender_reading SET due_at = $3, attempts = attempts + 1, note = $4 WHERE tender_id = $1 AND requested = $2`;
const STOPPED = `SELECT to_char(stopped_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since, stopped_by AS by, stopped_reason AS reason
  FROM follow WHERE name = $1 AND stopped_at IS NOT NULL`;
const STOP = `INSERT INTO follow (name, read_at, stopped_at, stopped_by, stopped_reason)
  VALUES ($1, clock_timestamp(), clock_timestamp(), $2, $3)
  ON CONFLICT (name) DO UPDATE SET stopped_at = excluded.stopped_at, stopped_by = $2, stopped_reason = $3 WHERE follow.stopped_at IS NULL`;
const RESUME = `UPDATE follow SET stopped_at = NULL, stopped_by = NULL, stopped_reason = NULL WHERE name = $1 AND stopped_at IS NOT NULL`;
// A reading that runs now may still write the note: its number is old then, and it is repeated.
const READ_AGAIN = `UPDATE tender_reading SET requested = requested + 1, due_at = 0, attempts = 0
  WHERE due_at IS NOT NULL OR strpos(note, $1) > 0`;
const AUCTIONS = `SELECT id, tender_id AS "tenderId", phase, ahead_micros::text AS "aheadMicros" FROM auction`;

const Ids = z.array(z.object({ id: z.string() }));
const Positions = z.array(z.object({ offset: z.string().nullable() }));
const Stops = z.array(z.object({ since: z.string(), by: z.string(), reason: z.string() }));
const Readings = z.array(z.object({ tenderId: z.string(), requested: z.number().int(), attempts: z.number().int() }));
const Auctions = z.array(
  z.object({
    id: z.string(),
    tenderId: z.string(),
    phase: z.enum(['planned', 'running', 'finished', 'announced', 'cancelled', 'missed']),
    aheadMicros: z.coerce.number().int(),
  }),
);

export function followStore(pool: pg.Pool, replicaId: string): FollowStore {
  return {
    async position() {
      const [row] = Positions.parse((await pool.query(POSITION, [NAME])).rows);
      return row === undefined ? undefined : { offset: row.offset ?? undefined };
    },
    async advance({ offset, wanted, others, lease }) {
      await transact(pool, async (tx) => {
        await requireLease(tx, replicaId, lease);
        const known = Ids.parse((await tx.query(KNOWN, [others])).rows).map(({ id }) => id);
        const ids = [...wanted, ...known];
        if (ids.length > 0) await tx.query(REQUEST, [ids]);
        await tx.query(MOVE, [NAME, offset]);
      });
    },
    async request(tenderId) {
      await pool.query(REQUEST, [[tenderId]]);
    },
    async dueReadings(now, max) {
      return Readings.parse((await pool.query(DUE, [now, max])).rows);
    },
    async finish({ tenderId, requested }, note) {
      await pool.query(FINISH, [tenderId, requested, note ?? null]);
    },
    async postpone({ tenderId, requested }, dueAt, note) {
      await pool.query(POSTPONE, [tenderId, requested, dueAt, note]);
    },
    async auctionsOf(tenderId) {
      return Auctions.parse((await pool.query(`${AUCTIONS} WHERE tender_id = $1`, [tenderId])).rows);
    },
    async stopped() {
      return Stops.parse((await pool.query(STOPPED, [NAME])).rows)[0];
    },
    async stop(by, reason) {
      return (await pool.query(STOP, [NAME, by, reason])).rowCount === 1;
    },
    async resume(note) {
      return transact(pool, async (tx) => {
        const { rowCount } = await tx.query(RESUME, [NAME]);
        if (rowCount === 1) await tx.query(READ_AGAIN, [note]);
        return rowCount === 1;
      });
    },
    async unfinished() {
      return Auctions.parse(
        (await pool.query(`${AUCTIONS} WHERE phase IN ('planned', 'running', 'finished') LIMIT 2000`)).rows,
      );
    },
  };
}
