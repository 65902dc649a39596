import { setTimeout as pause } from 'node:timers/promises';
import { FenceOutcome, FenceRequest, type FreezeResponse } from '@procurement/contracts/events/fences';
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
 * A decision met a fence: it is frozen, or its facts are older than the outcome of the last fence. Nothing was stored. An event
 * that fails by it is redelivered and counts no attempt, like every ConflictError.
 */
export class FencedError extends ConflictError {
  constructor(id: string) {
    super(undefined);
    this.name = 'FencedError';
    this.message = `decisions about ${id} are frozen`;
  }
}

/** The fence of one object, read under the lock of a decision. */
export interface FenceState {
  readonly isHeld: boolean;
  /** Version of the facts that a decision must not be older than; 0 without a fence so far. */
  readonly version: number;
}

export const NO_FENCE: FenceState = { isHeld: false, version: 0 };

/** The columns of a fence in the row that a decision locks. `readFence` reads them. */
export const FENCE_COLUMNS = `fence_held_at IS NOT NULL AS "isHeld", fence_version AS "fenceVersion"`;

export interface FenceColumns {
  readonly isHeld: boolean;
  /** A bigint, which pg reads as text; null before the first fence. */
  readonly fenceVersion: string | null;
}

export function readFence({ isHeld, fenceVersion }: FenceColumns): FenceState {
  return { isHeld, version: Number(fenceVersion ?? 0) };
}

/** Whether a decision by facts of this version may be made. */
export function isPassable({ isHeld, version }: FenceState, factsVersion: number): boolean {
  return !isHeld && factsVersion >= version;
}

/** Decisions of one service that another service can freeze, object by object (decision 0060). */
export interface Fence {
  /** The fence of an object, in the transaction of a decision and after its lock. For tables other than the locked one. */
  read(tx: pg.PoolClient, ids: readonly string[]): Promise<ReadonlyMap<string, FenceState>>;
  /**
   * Makes a decision that a fence may stop with FencedError. It waits up to a second for the end of the fence, then it is
   * made again: `again` tells that the facts must be read anew. Throws 503 when the fence does not end, and QueueFullError when
   * it waits too long behind others about the same object.
   */
  decide<T>(id: string, attempt: (again: boolean) => Promise<T>): Promise<T>;
  /** Ends a fence whose raiser has gone, in the background. For decisions without a caller, which are tried again later. */
  liftAbandoned(id: string): void;
  /** Ends the fences of objects about which nothing is decided any more. A batch; `runService` repeats it. */
  liftAllAbandoned(): Promise<void>;
  /** Handles `freeze` and `lift`. `lock` takes the lock of decisions and returns the version of the locked state. */
  respond(request: unknown, lock: (tx: pg.PoolClient, id: string) => Promise<number>): Promise<unknown>;
}

export interface FenceOptions {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  /** The table with the columns `fence_number`, `fence_held_at` and `fence_version`. */
  readonly table: string;
  readonly idColumn: string;
  /** Where the raiser tells the outcome of a fence. */
  readonly outcomeSubject: string;
}

/** The objects of a batch of `liftAllAbandoned`. Their raisers are asked at the same time. */
const BATCH = 16;
/** A fence that is held longer is abandoned: its raiser is asked for the outcome. Longer than a raiser needs. */
const ABANDONED_MS = 5_000;
const WAIT_MS_MAX = 1_000;
const POLL_MS = 20;
const FROZEN = unavailable(1);

export function makeFence({ pool, bus, log, table, idColumn, outcomeSubject }: FenceOptions): Fence {
  const FREEZE = `INSERT INTO ${table} AS own (${idColumn}, fence_number, fence_held_at) VALUES ($1, $2, clock_timestamp())
    ON CONFLICT (${idColumn}) DO UPDATE SET fence_number = excluded.fence_number, fence_held_at = excluded.fence_held_at
    WHERE coalesce(own.fence_number, 0) < excluded.fence_number`;
  // Also recorded when the freeze did not arrive yet, so that it has no effect when it does.
  const LIFT = `INSERT INTO ${table} AS own (${idColumn}, fence_number, fence_version) VALUES ($1, $2, $3)
    ON CONFLICT (${idColumn}) DO UPDATE SET fence_number = excluded.fence_number, fence_held_at = NULL,
      fence_version = greatest(coalesce(own.fence_version, 0), excluded.fence_version)
    WHERE coalesce(own.fence_number, 0) <= excluded.fence_number`;
  const READ = searchByKeys({ columns: `${idColumn} AS id, ${FENCE_COLUMNS}`, table, key: idColumn });
  // Without the sign, so that a clock of the database that was put back does not keep a fence for ever.
  const HELD = `SELECT fence_number AS number,
      (abs(extract(epoch FROM clock_timestamp() - fence_held_at)) * 1000)::float8 AS "heldMs"
    FROM ${table} WHERE ${idColumn} = $1 AND fence_held_at IS NOT NULL`;

  // The partial index of the table has the held ones only. In random order, so that those whose raiser cannot answer hold up no others.
  const ABANDONED = `SELECT ${idColumn} AS id FROM ${table} WHERE fence_held_at IS NOT NULL
    AND abs(extract(epoch FROM clock_timestamp() - fence_held_at)) * 1000 > ${ABANDONED_MS} ORDER BY random() LIMIT ${BATCH}`;

  async function lift(id: string, number: number, version: number): Promise<void> {
    await pool.query({ name: `${table}-fence-lift`, text: LIFT, values: [id, number, version] });
  }

  /** Waits until the fence of an object is not held. False when it still is after a second. */
  async function awaitLifted(id: string): Promise<boolean> {
    const giveUpAt = monotonicMs() + WAIT_MS_MAX;
    for (;;) {
      const { rows } = await pool.query<{ number: string; heldMs: number }>({
        name: `${table}-fence-held`,
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
    await lift(id, number, FenceOutcome.parse(response.value).version);
    log.warn({ id, number }, 'abandoned fence lifted');
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
      type Row = FenceColumns & { readonly id: string };
      const { rows } = await tx.query<Row>({ name: `${table}-fence-read`, text: READ, values: [ids] });
      return new Map(rows.map((row) => [row.id, readFence(row)]));
    },

    async decide(id, attempt) {
      const giveUpAt = monotonicMs() + WAIT_MS_MAX;
      for (let again = false; ; again = true) {
        try {
          return await turns.run(id, async () => attempt(again));
        } catch (error) {
          if (!(error instanceof FencedError)) throw error;
        }
        if (monotonicMs() > giveUpAt || !(await lifted(id))) throw new ProblemError(FROZEN);
        // The facts of the outcome may still be on their way.
        if (again) await pause(POLL_MS);
      }
    },

    liftAbandoned(id) {
      lifted(id).catch((error: unknown) => log.warn({ err: error, id }, 'fence not lifted'));
    },

    async liftAllAbandoned() {
      const { rows } = await pool.query<{ id: string }>({ name: `${table}-fences-abandoned`, text: ABANDONED });
      await Promise.all(rows.map(async ({ id }) => lifted(id)));
    },

    async respond(request, lock) {
      const parsed = FenceRequest.parse(request);
      const { id, number } = parsed;
      if (parsed.act === 'lift') {
        await lift(id, number, parsed.version);
        return {};
      }
      return transact(pool, async (tx): Promise<FreezeResponse> => {
        const version = await lock(tx, id);
        const { rowCount } = await tx.query({ name: `${table}-fence-freeze`, text: FREEZE, values: [id, number] });
        return { frozen: rowCount === 1, version };
      });
    },
  };
}
