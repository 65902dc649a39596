import type pg from 'pg';
import { z } from 'zod';
import type { AuctionEvent } from '../domain/events.ts';

/** A row of the log, as operators read it. */
export interface LoggedEvent {
  readonly seq: number;
  readonly recordedAt: string;
  readonly actor: string;
  readonly epoch: number | null;
  readonly event: AuctionEvent;
}

/** What operators read and change beside the decisions. */
export interface EvidenceStore {
  log(auctionId: string): Promise<readonly LoggedEvent[]>;
  /** Failed requests of an auction to the tender service, by kind. */
  failedTasks(auctionId: string): Promise<readonly string[]>;
  /** Makes them due. */
  expedite(auctionId: string): Promise<void>;
  /** Takes a shard from its leader: its transactions end, and another replica, or the same, takes it. False when nobody led it. */
  handOver(shard: number): Promise<boolean>;
}

const LOG = `SELECT seq, to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "recordedAt", actor, epoch::int, data
  FROM auction_event WHERE auction_id = $1 ORDER BY seq`;
const FAILED = 'SELECT kind FROM task WHERE auction_id = $1 AND attempts > 0 ORDER BY kind';
const EXPEDITE = 'UPDATE task SET due_at = 0 WHERE auction_id = $1 AND attempts > 0';
// The epoch: the leader that is replaced must not commit with the lease that it remembers.
const HAND_OVER = `UPDATE lease SET holder = NULL, until = '-infinity', epoch = epoch + 1 WHERE shard = $1 AND holder IS NOT NULL`;

const Rows = z.array(
  z.object({
    seq: z.number().int(),
    recordedAt: z.string(),
    actor: z.string(),
    epoch: z.number().int().nullable(),
    data: z.string(),
  }),
);
const Kinds = z.array(z.object({ kind: z.string() }));

export function evidenceStore(pool: pg.Pool): EvidenceStore {
  return {
    async log(auctionId) {
      const rows = Rows.parse((await pool.query(LOG, [auctionId])).rows);
      // Safe cast: only the store of auctions writes the log.
      return rows.map(({ data, ...row }) => ({ ...row, event: JSON.parse(data) as AuctionEvent }));
    },
    async failedTasks(auctionId) {
      return Kinds.parse((await pool.query(FAILED, [auctionId])).rows).map(({ kind }) => kind);
    },
    async expedite(auctionId) {
      await pool.query(EXPEDITE, [auctionId]);
    },
    async handOver(shard) {
      return (await pool.query(HAND_OVER, [shard])).rowCount === 1;
    },
  };
}
