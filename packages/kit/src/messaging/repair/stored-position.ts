import type pg from 'pg';
import type { PositionRow, ReachedPosition } from '../consume/applied-position.ts';
import type { StoredPosition } from './assess-position.ts';

type Queryable = Pick<pg.Pool, 'query'>;

/** A stored position, with what tells the checks that stored it apart. */
export interface CheckedPosition extends StoredPosition {
  readonly checkedAt: string;
  /** Whether a repair is not finished. */
  readonly hasRepair: boolean;
}

const READ = `SELECT stream_created_at AS "streamCreatedAt", verified_seq::float8 AS "verifiedSeq",
    checked_at::text AS "checkedAt", repair IS NOT NULL AS "hasRepair",
    coalesce((SELECT max(applied_seq) FROM kit.consumer_position WHERE durable = $1), verified_seq)::float8 AS "appliedSeq"
  FROM kit.consumer_check WHERE durable = $1`;

/** The stored position; undefined before the first check. */
export async function readPosition(db: Queryable, durable: string): Promise<CheckedPosition | undefined> {
  return (await db.query<CheckedPosition>({ name: 'position-read', text: READ, values: [durable] })).rows[0];
}

const SET_VERIFIED = `INSERT INTO kit.consumer_check (durable, stream_created_at, verified_seq) VALUES ($1, $2, $3)
  ON CONFLICT (durable) DO UPDATE SET stream_created_at = $2, verified_seq = $3, checked_at = now()`;
const SET_SLOT = `INSERT INTO kit.consumer_position (durable, slot, stream_created_at, applied_seq) VALUES ($1, $2, $3, $4)
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
  await tx.query('DELETE FROM kit.consumer_position WHERE durable = $1', [durable]);
}

// A row among the copies themselves, so that it is lost with them, also when new events fill the table again.
const MARKER_KIND = '_marker';
const HAS_MARKER = `SELECT EXISTS (SELECT FROM kit.replica WHERE kind = '${MARKER_KIND}' AND id = $1) AS found`;
const SET_MARKER = `INSERT INTO kit.replica (kind, id, version, facts) VALUES ('${MARKER_KIND}', $1, 0, '{}')
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
