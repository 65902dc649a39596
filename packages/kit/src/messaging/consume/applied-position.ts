import type pg from 'pg';
import { ConflictError } from '../../database/transaction.ts';

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

/** How far this service has applied the events of a durable. `repair/` keeps it. */
export interface AppliedPosition {
  /**
   * Compares the stored position with the server. Throws when bus or database are away. Nothing may be fetched before the first
   * success, nor after a new connection before the next.
   */
  check(): Promise<void>;
  /** When the stream of the last check was created. It belongs to the events that are fetched after that check. */
  streamCreatedAt(): string;
  /** A durable that the server lost begins after this sequence. */
  verifiedSeq(): number;
  /** Marks a batch as applied in its transaction. Returns the ids not marked before. Throws PositionLostError. */
  claim(tx: pg.PoolClient, reached: ReachedPosition, eventIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Call after the commit of `claim`. */
  committed(reached: ReachedPosition): void;
  /** Raises the position for an event that became a dead letter. */
  raise(reached: ReachedPosition): Promise<void>;
  /** Checks soon: the stored position was lost. */
  wake(): void;
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

const RAISE = `UPDATE kit.consumer_position SET applied_at = now(),
    applied_seq = CASE WHEN stream_created_at = $3 THEN greatest(applied_seq, $4) ELSE applied_seq END
  WHERE durable = $1 AND slot = $2`;
// One statement, because every batch executes it. The reads see the state before it.
const CLAIM = `WITH raised AS (${RAISE} RETURNING 1),
    claimed AS (INSERT INTO kit.inbox (durable, event_id) SELECT $1, unnest($5::uuid[]) ON CONFLICT DO NOTHING RETURNING event_id)
  SELECT ARRAY(SELECT event_id FROM claimed) AS ids, EXISTS (SELECT FROM raised) AS "hasRow",
    (SELECT max(applied_seq) FROM kit.consumer_position WHERE durable = $1) AS "appliedSeq"`;

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
