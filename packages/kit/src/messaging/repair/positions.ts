import type pg from 'pg';
import { ConflictError } from '../../database/transaction.ts';
import type { StoredPosition } from './assess-position.ts';

type Queryable = Pick<pg.Pool, 'query'>;

/** Rows of `consumer_position` of one durable. Two processes with the same slot wait for each other's transactions. */
export const SLOTS = 32;

/** Where the transaction of a batch stores its position. */
export interface PositionRow {
  readonly durable: string;
  readonly slot: number;
}

/** The position that a batch reaches. */
export interface ReachedPosition {
  readonly streamCreatedAt: string;
  readonly seq: number;
}

/**
 * The stored position is older than what this process has committed, or it is gone: the database was restored, or its tables
 * were emptied. Nothing may be applied before the next check. A ConflictError, because no event is at fault.
 */
export class PositionLostError extends ConflictError {
  constructor(durable: string) {
    super(undefined);
    this.name = 'PositionLostError';
    this.message = `the stored position of ${durable} is older than the applied events`;
  }
}

const RAISE = `UPDATE consumer_position SET applied_at = now(),
    applied_seq = CASE WHEN stream_created_at = $3 THEN greatest(applied_seq, $4) ELSE applied_seq END
  WHERE durable = $1 AND slot = $2`;
// One statement, because every batch executes it. The reads see the state before it.
const CLAIM = `WITH raised AS (${RAISE} RETURNING 1),
    claimed AS (INSERT INTO inbox (durable, event_id) SELECT $1, unnest($5::uuid[]) ON CONFLICT DO NOTHING RETURNING event_id)
  SELECT ARRAY(SELECT event_id FROM claimed) AS ids, EXISTS (SELECT FROM raised) AS "hasRow",
    (SELECT max(applied_seq) FROM consumer_position WHERE durable = $1) AS "appliedSeq"`;

/**
 * Marks events as applied, as `claimEvents` does, and raises the position. `knownSeq` is the position that this process has
 * committed or read before. Throws PositionLostError when the database does not have it any more.
 */
export async function claimAtPosition(
  tx: pg.PoolClient,
  { durable, slot }: PositionRow,
  { reached, knownSeq }: { readonly reached: ReachedPosition; readonly knownSeq: number },
  eventIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const values = [durable, slot, reached.streamCreatedAt, reached.seq, [...eventIds].sort()];
  type Row = { readonly ids: readonly string[]; readonly hasRow: boolean; readonly appliedSeq: string | null };
  const { rows } = await tx.query<Row>({ name: 'position-claim', text: CLAIM, values });
  const [row] = rows;
  if (row?.hasRow !== true || Number(row.appliedSeq) < knownSeq) throw new PositionLostError(durable);
  return new Set(row.ids);
}

/** Raises the position for an event that became a dead letter. */
export async function raisePosition(
  db: Queryable,
  { durable, slot }: PositionRow,
  { streamCreatedAt, seq }: ReachedPosition,
): Promise<void> {
  await db.query({ name: 'position-raise', text: RAISE, values: [durable, slot, streamCreatedAt, seq] });
}

/** A stored position, with what tells the checks that stored it apart. */
export interface CheckedPosition extends StoredPosition {
  readonly checkedAt: string;
  /** Whether a repair is not finished. */
  readonly hasRepair: boolean;
}

const READ = `SELECT stream_created_at AS "streamCreatedAt", verified_seq AS "verifiedSeq", checked_at::text AS "checkedAt",
    repair IS NOT NULL AS "hasRepair",
    (SELECT max(applied_seq) FROM consumer_position WHERE durable = $1) AS "appliedSeq"
  FROM consumer_check WHERE durable = $1`;

/** The stored position; undefined before the first check. */
export async function readPosition(db: Queryable, durable: string): Promise<CheckedPosition | undefined> {
  type Row = {
    readonly streamCreatedAt: string;
    readonly verifiedSeq: string;
    readonly checkedAt: string;
    readonly hasRepair: boolean;
    readonly appliedSeq: string | null;
  };
  const { rows } = await db.query<Row>({ name: 'position-read', text: READ, values: [durable] });
  const [row] = rows;
  if (row === undefined) return undefined;
  const verifiedSeq = Number(row.verifiedSeq);
  const appliedSeq = row.appliedSeq === null ? verifiedSeq : Number(row.appliedSeq);
  return { ...row, verifiedSeq, appliedSeq };
}

const SET_VERIFIED = `INSERT INTO consumer_check (durable, stream_created_at, verified_seq) VALUES ($1, $2, $3)
  ON CONFLICT (durable) DO UPDATE SET stream_created_at = $2, verified_seq = $3, checked_at = now()`;
const SET_SLOT = `INSERT INTO consumer_position (durable, slot, stream_created_at, applied_seq) VALUES ($1, $2, $3, $4)
  ON CONFLICT (durable, slot) DO UPDATE SET applied_seq = greatest(consumer_position.applied_seq, $4)`;

/** Everything up to this sequence was applied, or will be by a repair that is stored in the same transaction. */
export async function storeVerified(
  tx: pg.PoolClient,
  { durable, slot }: PositionRow,
  { streamCreatedAt, seq }: ReachedPosition,
): Promise<void> {
  await tx.query({ name: 'position-verified', text: SET_VERIFIED, values: [durable, streamCreatedAt, seq] });
  await tx.query({ name: 'position-slot', text: SET_SLOT, values: [durable, slot, streamCreatedAt, seq] });
}

/** Removes the positions of a stream whose sequences do not continue. Other processes check again at their next batch. */
export async function removePositions(tx: pg.PoolClient, durable: string): Promise<void> {
  await tx.query('DELETE FROM consumer_position WHERE durable = $1', [durable]);
}

// A row among the copies themselves, so that it is lost with them, also when new events fill the table again.
const MARKER_KIND = '_marker';
const HAS_MARKER = `SELECT EXISTS (SELECT FROM replica WHERE kind = '${MARKER_KIND}' AND id = $1) AS found`;
const SET_MARKER = `INSERT INTO replica (kind, id, version, facts) VALUES ('${MARKER_KIND}', $1, 0, '{}')
  ON CONFLICT DO NOTHING`;

/** Whether the copies of this kind are still those that the last repair or the first check has seen. */
export async function hasCopyMarker(db: Queryable, kind: string): Promise<boolean> {
  return (
    (await db.query<{ found: boolean }>({ name: 'copy-marker', text: HAS_MARKER, values: [kind] })).rows[0]?.found ===
    true
  );
}

export async function setCopyMarker(db: Queryable, kind: string): Promise<void> {
  await db.query(SET_MARKER, [kind]);
}
