import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import type pg from 'pg';
import { ConflictError, isDatabaseUnavailable, transact } from './transaction.ts';
import { monotonicMs } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { ReadDetails } from '../runtime/ready-detail.ts';

/** A due row that is not read yet. */
export interface DueRow {
  readonly id: string;
  /** Bytes of its JSON columns. */
  readonly bytes: number;
  readonly dueAt: Instant;
}

export interface FailedRow {
  readonly id: string;
  readonly error: unknown;
}

/**
 * Due rows that could not be read, decided or saved. Each is put off by moving its `due_at`: by 1 s, then twice as long each
 * time, up to 5 minutes. So it holds no other row, and moves at most 5 minutes after it is repaired.
 */
export interface ClockFailures {
  /** Puts rows off. Logs an error for each whose error is new or has changed. The rows must be locked by `tx`. */
  postpone(tx: pg.PoolClient, failed: readonly FailedRow[], now: Instant): Promise<void>;
  /**
   * Puts a row off before it is tried, in a transaction of its own: a row so large that trying it may end the process or its
   * connection must not be tried first again. Returns the deadline that the row has now; when it has another one later,
   * another replica has processed or marked it.
   */
  markTrial(row: DueRow, now: Instant): Promise<Instant>;
  /** Removes rows that have moved and updates the gauge; reads the database at most once a second. */
  refresh(): Promise<void>;
  /** The rows that are put off. */
  readonly details: ReadDetails;
}

export interface ClockFailuresOptions {
  readonly pool: pg.Pool;
  /** The table with the column `due_at`. */
  readonly table: string;
  readonly idColumn: string;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Rows of one round are read together up to this size: a service parses and holds that much at once. */
export const DUE_BYTES_MAX = 8 * 1_024 * 1_024;

const RETRY_MICROS_MIN = 1_000_000;
const RETRY_MICROS_MAX = 300_000_000;
const ERROR_CHARACTERS_MAX = 500;
const REFRESH_EVERY_MS = 1_000;
/** Another replica may have put a row off. */
const IDLE_REFRESH_EVERY_MS = 10_000;

/** The earliest rows, up to `DUE_BYTES_MAX` together. A larger row is taken alone, and only when no other row is due. */
export function selectBatch(rows: readonly DueRow[]): readonly DueRow[] {
  const batch: DueRow[] = [];
  let bytes = 0;
  for (const row of rows.filter((one) => !isLarge(one))) {
    bytes += row.bytes;
    if (bytes > DUE_BYTES_MAX) break;
    batch.push(row);
  }
  return batch.length === 0 ? rows.slice(0, 1) : batch;
}

/** Whether a row is too large to share a batch. */
export function isLarge({ bytes }: DueRow): boolean {
  return bytes > DUE_BYTES_MAX;
}

/** Whether a row failed by itself: not by the lock of another transaction or by a database that is away. */
export function isRowFailure(error: unknown): boolean {
  return !(error instanceof ConflictError) && !isDatabaseUnavailable(error);
}

export function retryMicros(attempts: number): number {
  return Math.min(RETRY_MICROS_MIN * 2 ** (attempts - 1), RETRY_MICROS_MAX);
}

interface StoredFailure {
  readonly id: string;
  readonly attempts: number;
  readonly error: string;
}

interface NewFailure extends StoredFailure {
  readonly dueAt: Instant;
}

const UPSERT = `INSERT INTO kit.clock_failure (id, attempts, due_at, error)
  SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[])
  ON CONFLICT (id) DO UPDATE SET attempts = excluded.attempts, due_at = excluded.due_at, error = excluded.error, failed_at = now()`;

export function makeClockFailures({ pool, table, idColumn, log, metrics }: ClockFailuresOptions): ClockFailures {
  let count = 0;
  let refreshedAtMs = Number.NEGATIVE_INFINITY;
  metrics.gauge('clock_rows_postponed', 'Due rows that could not be processed and are tried again later', () => count);

  // A row that fails again within this second is kept: its deadline may have changed after this statement began. A scalar subquery finds
  // each row by the index; a join would read the whole table, because the planner presumes hundreds of failures in a table without statistics.
  const removeMoved = `WITH moved AS (
      DELETE FROM kit.clock_failure WHERE failed_at < now() - interval '1 second' AND due_at IS DISTINCT FROM (
        SELECT ${table}.due_at FROM ${table} WHERE ${table}.${idColumn} = clock_failure.id
      ) RETURNING id
    )
    SELECT (SELECT count(*) FROM kit.clock_failure) AS total, (SELECT count(*) FROM moved) AS moved`;
  const moveDue = `UPDATE ${table} SET due_at = failed.due_at FROM unnest($1::text[], $2::bigint[]) AS failed (id, due_at)
    WHERE ${table}.${idColumn} = failed.id`;

  async function read(db: pg.PoolClient, ids: readonly string[]): Promise<ReadonlyMap<string, StoredFailure>> {
    const text = 'SELECT id, attempts, error FROM kit.clock_failure WHERE id = ANY($1::text[])';
    const { rows } = await db.query<StoredFailure>(text, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async function store(db: pg.PoolClient, failures: readonly NewFailure[]): Promise<void> {
    const column = <K extends keyof NewFailure>(name: K): NewFailure[K][] => failures.map((failure) => failure[name]);
    await db.query(UPSERT, [column('id'), column('attempts'), column('dueAt'), column('error')]);
    await db.query(moveDue, [column('id'), column('dueAt')]);
    refreshedAtMs = Number.NEGATIVE_INFINITY;
  }

  return {
    async postpone(tx, failed, now) {
      if (failed.length === 0) return;
      const stored = await read(
        tx,
        failed.map((row) => row.id),
      );
      const failures = failed.map(({ id, error: cause }): NewFailure => {
        const before = stored.get(id);
        const attempts = (before?.attempts ?? 0) + 1;
        const error = String(cause).replaceAll('\u0000', '').slice(0, ERROR_CHARACTERS_MAX);
        const level = before?.error === error ? 'debug' : 'error';
        log[level]({ id, table, attempts, err: cause }, 'due row failed, put off');
        return { id, attempts, error, dueAt: addMicros(now, retryMicros(attempts)) };
      });
      await store(tx, failures);
    },

    async markTrial({ id, bytes }, now) {
      return transact(pool, async (tx) => {
        const before = (await read(tx, [id])).get(id);
        const attempts = (before?.attempts ?? 0) + 1;
        if (before === undefined) log.warn({ id, table, bytes }, 'due row is large, processed alone');
        const error = before?.error ?? 'begun and not finished';
        const dueAt = addMicros(now, retryMicros(attempts));
        await store(tx, [{ id, attempts, error, dueAt }]);
        return dueAt;
      });
    },

    async details() {
      const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM kit.clock_failure');
      const postponed = rows[0]?.count ?? 0;
      return postponed === 0 ? [] : [{ kind: 'clock', name: table, count: postponed }];
    },

    async refresh() {
      const everyMs = count > 0 ? REFRESH_EVERY_MS : IDLE_REFRESH_EVERY_MS;
      if (monotonicMs() - refreshedAtMs < everyMs) return;
      const { rows } = await pool.query<{ total: string; moved: string }>(removeMoved);
      const moved = Number(rows[0]?.moved ?? 0);
      count = Number(rows[0]?.total ?? 0) - moved;
      refreshedAtMs = monotonicMs();
      if (moved > 0) log.info({ moved, table, left: count }, 'rows that were put off have moved');
    },
  };
}
