import type pg from 'pg';

type Queryable = Pick<pg.Pool, 'query'>;

/** A repair of what a durable maintains. Stored, so that it survives the process, and any process of the service continues it. */
export interface Repair {
  /** `removal`: removes what the owner does not have; a rebuild follows. */
  readonly kind: 'replay' | 'rebuild' | 'removal';
  readonly reason: string;
  /** Differs for each request. */
  readonly requestedAt: string;
  /** The last stream sequence replayed, the key of the last fact applied or copy compared; null at the beginning. */
  readonly cursor: string | null;
  /** The last stream sequence to replay. */
  readonly untilSeq: number;
  /** Events or facts that it has applied so far. */
  readonly applied: number;
}

const REQUEST_REBUILD = `UPDATE kit.consumer_check SET repair = CASE repair WHEN 'removal' THEN repair ELSE $3 END, reason = $2,
    requested_at = now(), cursor = NULL, until_seq = NULL, applied = 0
  WHERE durable = $1`;
// A replay during another one covers both ranges. During a rebuild, the rebuild begins again instead.
const REQUEST_REPLAY = `UPDATE kit.consumer_check SET reason = $2, requested_at = now(), applied = 0,
    repair = coalesce(repair, 'replay'),
    cursor = CASE repair WHEN 'rebuild' THEN NULL WHEN 'removal' THEN cursor
      WHEN 'replay' THEN least(cursor::bigint, $3)::text ELSE $3::text END,
    until_seq = CASE WHEN repair IN ('rebuild', 'removal') THEN NULL ELSE greatest(until_seq, $4) END
  WHERE durable = $1`;

/** Asks the processes of the service to rebuild from the owner. A rebuild that is under way begins again. `removal`: removes before. */
export async function requestRebuild(
  db: Queryable,
  durable: string,
  reason: string,
  kind: 'rebuild' | 'removal' = 'rebuild',
): Promise<void> {
  await db.query(REQUEST_REBUILD, [durable, reason, kind]);
}

export async function requestReplay(
  db: Queryable,
  durable: string,
  { reason, afterSeq, untilSeq }: { readonly reason: string; readonly afterSeq: number; readonly untilSeq: number },
): Promise<void> {
  await db.query(REQUEST_REPLAY, [durable, reason, afterSeq, untilSeq]);
}

const COLUMNS = `repair AS kind, reason, requested_at::text AS "requestedAt", cursor, coalesce(until_seq, 0)::float8 AS "untilSeq",
  applied::float8 AS applied`;
const READ = `SELECT ${COLUMNS} FROM kit.consumer_check WHERE durable = $1 AND repair IS NOT NULL`;

/** The repair that is not finished. */
export async function findRepair(db: Queryable, durable: string): Promise<Repair | undefined> {
  return (await db.query<Repair>({ name: 'repair-read', text: READ, values: [durable] })).rows[0];
}

/** How many events or facts the latest repair has applied, in whatever process. It is told until the next one is requested. */
export async function countApplied(db: Queryable, durable: string): Promise<number> {
  const text = 'SELECT applied::float8 AS applied FROM kit.consumer_check WHERE durable = $1';
  return (await db.query<{ applied: number }>(text, [durable])).rows[0]?.applied ?? 0;
}

const ADVANCE = `UPDATE kit.consumer_check SET cursor = $4, applied = applied + $5
  WHERE durable = $1 AND requested_at = $2::timestamptz AND cursor IS NOT DISTINCT FROM $3 AND repair IS NOT NULL`;
const FINISH = `UPDATE kit.consumer_check SET repair = NULL, reason = NULL, requested_at = NULL, cursor = NULL, until_seq = NULL
  WHERE durable = $1 AND requested_at = $2::timestamptz AND cursor IS NOT DISTINCT FROM $3`;

/**
 * Stores the progress in the transaction of the step. False: another process has made it, or the repair was requested again; the
 * transaction must be rolled back.
 */
export async function advanceRepair(
  tx: pg.PoolClient,
  durable: string,
  { requestedAt, cursor }: Repair,
  step: { readonly cursor: string; readonly applied: number },
): Promise<boolean> {
  const values = [durable, requestedAt, cursor, step.cursor, step.applied];
  return (await tx.query({ name: 'repair-advance', text: ADVANCE, values })).rowCount === 1;
}

const CONTINUE = `UPDATE kit.consumer_check SET repair = 'rebuild', cursor = NULL
  WHERE durable = $1 AND requested_at = $2::timestamptz AND cursor IS NOT DISTINCT FROM $3 AND repair = 'removal'`;

/** Begins the rebuild that follows a removal: what its owner has made anew meanwhile comes back. False as with `advanceRepair`. */
export async function continueWithRebuild(
  db: Queryable,
  durable: string,
  { requestedAt, cursor }: Repair,
): Promise<boolean> {
  return (await db.query(CONTINUE, [durable, requestedAt, cursor])).rowCount === 1;
}

/** False as with `advanceRepair`. */
export async function finishRepair(db: Queryable, durable: string, { requestedAt, cursor }: Repair): Promise<boolean> {
  return (
    (await db.query({ name: 'repair-finish', text: FINISH, values: [durable, requestedAt, cursor] })).rowCount === 1
  );
}

/** Whether any durable of this database is being repaired: its copies may be incomplete. */
export async function isRepairing(db: Queryable): Promise<boolean> {
  const text = 'SELECT EXISTS (SELECT FROM kit.consumer_check WHERE repair IS NOT NULL) AS repairing';
  return (await db.query<{ repairing: boolean }>({ name: 'repair-any', text })).rows[0]?.repairing === true;
}
