import type pg from 'pg';
import { z } from 'zod';

/** One follower per database: an advisory lock. */
export const FOLLOWER_LOCK = '7270738010';

/** The back-fill that is under way (register.md 2.5). */
const Backfill = z.object({
  /** The listing was applied up to here; null when it is finished, and publications are followed. */
  after: z.number().nullable(),
  /** The listing ends here, and publications are followed from here. */
  upTo: z.number(),
  /** The back-fill ends when publications up to here were applied. */
  until: z.number(),
  /** The command `archive load` has not ended: the day from which it loads. Nothing is listed or followed before it has. */
  archive: z.string().optional(),
});
export type Backfill = z.infer<typeof Backfill>;

/** The row of `follow`: how far publications were applied. Positions are microseconds since 1970 UTC. */
export interface FollowState {
  readonly position: number;
  readonly epoch: number;
  readonly horizon: number;
  readonly backfill: Backfill | undefined;
  readonly followedFrom: number;
  /** The owner's greatest position when it last answered. */
  readonly head: number;
  /** Seconds since then, by the clock of this database. */
  readonly silentSeconds: number;
  /** Time by the clock of this database. */
  readonly now: number;
}

const FollowRow = z.object({
  position: z.coerce.number(),
  epoch: z.number(),
  horizon: z.coerce.number(),
  backfill: z.string().nullable(),
  followedFrom: z.coerce.number(),
  head: z.coerce.number(),
  silentSeconds: z.coerce.number(),
  now: z.coerce.number(),
});

const COLUMNS = `position, epoch, horizon, backfill, followed_from AS "followedFrom", head,
  extract(epoch FROM clock_timestamp() - heard_at) AS "silentSeconds",
  floor(extract(epoch FROM clock_timestamp()) * 1000000) AS now`;
const ROW = 'FROM follow WHERE id = 1';
const READS = {
  read: `SELECT ${COLUMNS} ${ROW}`,
  lock: `SELECT ${COLUMNS} ${ROW} FOR UPDATE`,
  // What a crash of the host takes back is read again, at the same positions: the commit of a page need not wait for the disk.
  lockForPage: `SELECT ${COLUMNS}, set_config('synchronous_commit', 'off', true) ${ROW} FOR UPDATE`,
} as const;
const BEGIN = `INSERT INTO follow (id, position, epoch, horizon, backfill, followed_from, head)
  VALUES (1, $1, $2, 0, $3, $1, $4) ON CONFLICT (id) DO NOTHING`;
const HEARD = `UPDATE follow SET horizon = greatest(horizon, $2), head = $3, heard_at = now() WHERE id = 1 AND position = $1`;

/** Undefined before the first back-fill. */
export async function readFollow(
  db: pg.Pool | pg.PoolClient,
  how: keyof typeof READS = 'read',
): Promise<FollowState | undefined> {
  const { rows } = await db.query({ name: `follow-${how}`, text: READS[how] });
  if (rows[0] === undefined) return undefined;
  const { backfill, ...row } = FollowRow.parse(rows[0]);
  return { ...row, backfill: backfill === null ? undefined : Backfill.parse(JSON.parse(backfill)) };
}

export interface FollowBegin {
  readonly position: number;
  readonly epoch: number;
  readonly backfill: Backfill;
  readonly head: number;
}

/** Stores the begin of the first back-fill. */
export async function beginFollow(pool: pg.Pool, { position, epoch, backfill, head }: FollowBegin): Promise<void> {
  await pool.query(BEGIN, [position, epoch, JSON.stringify(backfill), head]);
}

/** Stores that the owner has answered, and has nothing to apply. */
export async function recordHeard(
  pool: pg.Pool,
  position: number,
  { horizon, head }: { readonly horizon: number; readonly head: number },
): Promise<void> {
  await pool.query({ name: 'follow-heard', text: HEARD, values: [position, horizon, head] });
}

/** Where following stands after a page, or after a hole. */
export interface FollowStep {
  readonly position: number;
  readonly horizon: number;
  readonly head: number;
  readonly backfill: Backfill | undefined;
  readonly followedFrom: number;
}

/** Stores a step by the values of `stepValues`, in a transaction that has locked the row. */
export const STEP_SQL = `UPDATE follow SET position = $1, horizon = greatest(horizon, $2), head = $3, backfill = $4,
  followed_from = $5, heard_at = now() WHERE id = 1`;

export function stepValues({ position, horizon, head, backfill, followedFrom }: FollowStep): readonly unknown[] {
  return [position, horizon, head, backfill === undefined ? null : JSON.stringify(backfill), followedFrom];
}
