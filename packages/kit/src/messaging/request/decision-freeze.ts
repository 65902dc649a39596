import { setTimeout as pause } from 'node:timers/promises';
import { FreezeOutcome, FreezeRequest, type FreezeResponse } from '@procurement/contracts/events/freezes';
import { unavailable } from '@procurement/contracts/problems/problems';
import type pg from 'pg';
import { searchByKeys } from '../../database/one-plan.ts';
import { ConflictError, transact } from '../../database/transaction.ts';
import { ProblemError } from '../../runtime/problem-error.ts';
import { monotonicMs } from '../../runtime/clock.ts';
import { makeFairQueue } from '../../runtime/fair-queue.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Bus } from '../bus.ts';
import { sendRequest } from './request.ts';

/**
 * A decision met a freeze: it is frozen, or its facts are older than the outcome of the last freeze. Nothing was stored. An event
 * that fails by it is redelivered and counts no attempt, like every ConflictError.
 */
export class FrozenError extends ConflictError {
  constructor(id: string) {
    super(undefined);
    this.name = 'FrozenError';
    this.message = `decisions about ${id} are frozen`;
  }
}

/** The freeze of one object, read under the lock of a decision. */
export interface FreezeState {
  readonly isHeld: boolean;
  /** Version of the facts that a decision must not be older than; 0 without a freeze so far. */
  readonly version: number;
}

export const NOT_FROZEN: FreezeState = { isHeld: false, version: 0 };

/** The columns of a freeze in the row that a decision locks. `readFreeze` reads them. */
export const FREEZE_COLUMNS = `frozen_at IS NOT NULL AS "isHeld", freeze_version AS "freezeVersion"`;

export interface FreezeColumns {
  readonly isHeld: boolean;
  /** A bigint, which pg reads as text; null before the first freeze. */
  readonly freezeVersion: string | null;
}

export function readFreeze({ isHeld, freezeVersion }: FreezeColumns): FreezeState {
  return { isHeld, version: Number(freezeVersion ?? 0) };
}

/** Whether a decision by facts of this version may be made. */
export function allowsDecision({ isHeld, version }: FreezeState, factsVersion: number): boolean {
  return !isHeld && factsVersion >= version;
}

/** Decisions of one service that another service can freeze, object by object (decision 0060). */
export interface DecisionFreeze {
  /** The freeze of an object, in the transaction of a decision and after its lock. For tables other than the locked one. */
  read(tx: pg.PoolClient, ids: readonly string[]): Promise<ReadonlyMap<string, FreezeState>>;
  /**
   * Makes a decision that a freeze may stop with FrozenError. It waits up to a second for the end of the freeze, then it is
   * made again: `again` tells that the facts must be read anew. Throws 503 when the freeze does not end, and QueueFullError when
   * it waits too long behind others about the same object.
   */
  decide<T>(id: string, attempt: (again: boolean) => Promise<T>): Promise<T>;
  /** Ends a freeze whose freezer has gone, in the background. For decisions without a caller, which are tried again later. */
  liftAbandoned(id: string): void;
  /** Ends the freezes of objects about which nothing is decided any more. A batch; `runService` repeats it. */
  liftAllAbandoned(): Promise<void>;
  /** Handles `freeze` and `lift`. `lock` takes the lock of decisions and returns the version of the locked state. */
  respond(request: unknown, lock: (tx: pg.PoolClient, id: string) => Promise<number>): Promise<unknown>;
}

export interface DecisionFreezeOptions {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  /** The table with the columns `freeze_number`, `frozen_at` and `freeze_version`. */
  readonly table: string;
  readonly idColumn: string;
  /** Where the freezer tells the outcome of a freeze. */
  readonly outcomeSubject: string;
}

/** The objects of a batch of `liftAllAbandoned`. Their freezers are asked at the same time. */
const BATCH = 16;
/** A freeze that is held longer is abandoned: its freezer is asked for the outcome. Longer than a freezer needs. */
const ABANDONED_MS = 5_000;
const WAIT_MS_MAX = 1_000;
const POLL_MS = 20;
const FROZEN = unavailable(1);

export function makeDecisionFreeze({
  pool,
  bus,
  log,
  table,
  idColumn,
  outcomeSubject,
}: DecisionFreezeOptions): DecisionFreeze {
  const FREEZE = `INSERT INTO ${table} AS own (${idColumn}, freeze_number, frozen_at) VALUES ($1, $2, clock_timestamp())
    ON CONFLICT (${idColumn}) DO UPDATE SET freeze_number = excluded.freeze_number, frozen_at = excluded.frozen_at
    WHERE coalesce(own.freeze_number, 0) < excluded.freeze_number`;
  // Also recorded when the freeze did not arrive yet, so that it has no effect when it does.
  const LIFT = `INSERT INTO ${table} AS own (${idColumn}, freeze_number, freeze_version) VALUES ($1, $2, $3)
    ON CONFLICT (${idColumn}) DO UPDATE SET freeze_number = excluded.freeze_number, frozen_at = NULL,
      freeze_version = greatest(coalesce(own.freeze_version, 0), excluded.freeze_version)
    WHERE coalesce(own.freeze_number, 0) <= excluded.freeze_number`;
  const READ = searchByKeys({ columns: `${idColumn} AS id, ${FREEZE_COLUMNS}`, table, key: idColumn });
  // Without the sign, so that a clock of the database that was put back does not keep a freeze for ever.
  const HELD = `SELECT freeze_number AS number,
      (abs(extract(epoch FROM clock_timestamp() - frozen_at)) * 1000)::float8 AS "heldMs"
    FROM ${table} WHERE ${idColumn} = $1 AND frozen_at IS NOT NULL`;

  // The partial index of the table has the held ones only. In random order, so that those whose freezer cannot answer hold up no others.
  const ABANDONED = `SELECT ${idColumn} AS id FROM ${table} WHERE frozen_at IS NOT NULL
    AND abs(extract(epoch FROM clock_timestamp() - frozen_at)) * 1000 > ${ABANDONED_MS} ORDER BY random() LIMIT ${BATCH}`;

  async function lift(id: string, number: number, version: number): Promise<void> {
    await pool.query({ name: `${table}-freeze-lift`, text: LIFT, values: [id, number, version] });
  }

  /** Waits until the freeze of an object is not held. False when it still is after a second. */
  async function awaitLifted(id: string): Promise<boolean> {
    const giveUpAt = monotonicMs() + WAIT_MS_MAX;
    for (;;) {
      const { rows } = await pool.query<{ number: string; heldMs: number }>({
        name: `${table}-freeze-held`,
        text: HELD,
        values: [id],
      });
      const [held] = rows;
      if (held === undefined) return true;
      if (held.heldMs > ABANDONED_MS) return liftByOutcome(id, Number(held.number));
      if (monotonicMs() > giveUpAt) return false;
      await pause(POLL_MS);
    }
  }

  async function liftByOutcome(id: string, number: number): Promise<boolean> {
    const response = await sendRequest(bus, outcomeSubject, { id, number });
    if (response.kind === 'unavailable') return false;
    await lift(id, number, FreezeOutcome.parse(response.value).version);
    log.warn({ id, number }, 'abandoned freeze lifted');
    return true;
  }

  // One loop for each object, however many requests wait for it.
  const waits = new Map<string, Promise<boolean>>();
  async function lifted(id: string): Promise<boolean> {
    const waiting = waits.get(id) ?? awaitLifted(id).finally(() => waits.delete(id));
    waits.set(id, waiting);
    return waiting;
  }

  // Decisions about one object follow one another by the lock of its row. They wait here and not with a connection each, of which
  // decisions about other objects would find none: one that runs, and the next.
  const turns = makeFairQueue({ runningMax: Infinity, runningOfClientMax: 2, waitingMax: 1_000, waitMsMax: 10_000 });

  return {
    async read(tx, ids) {
      type Row = FreezeColumns & { readonly id: string };
      const { rows } = await tx.query<Row>({ name: `${table}-freeze-read`, text: READ, values: [ids] });
      return new Map(rows.map((row) => [row.id, readFreeze(row)]));
    },

    async decide(id, attempt) {
      const giveUpAt = monotonicMs() + WAIT_MS_MAX;
      for (let again = false; ; again = true) {
        try {
          return await turns.run(id, async () => attempt(again));
        } catch (error) {
          if (!(error instanceof FrozenError)) throw error;
        }
        if (monotonicMs() > giveUpAt || !(await lifted(id))) throw new ProblemError(FROZEN);
        // The facts of the outcome may still be on their way.
        if (again) await pause(POLL_MS);
      }
    },

    liftAbandoned(id) {
      lifted(id).catch((error: unknown) => log.warn({ err: error, id }, 'freeze not lifted'));
    },

    async liftAllAbandoned() {
      const { rows } = await pool.query<{ id: string }>({ name: `${table}-freezes-abandoned`, text: ABANDONED });
      await Promise.all(rows.map(async ({ id }) => lifted(id)));
    },

    async respond(request, lock) {
      const parsed = FreezeRequest.parse(request);
      const { id, number } = parsed;
      if (parsed.act === 'lift') {
        await lift(id, number, parsed.version);
        return {};
      }
      return transact(pool, async (tx): Promise<FreezeResponse> => {
        const version = await lock(tx, id);
        const { rowCount } = await tx.query({ name: `${table}-freeze-freeze`, text: FREEZE, values: [id, number] });
        return { frozen: rowCount === 1, version };
      });
    },
  };
}
