import { unavailable } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type pg from 'pg';
import { COMPLETE_TO_SQL } from './complete-position.ts';

/** How far the log of publications was applied (register.md 3.4). */
export interface Freshness {
  /**
   * The position up to which every publication is here, once it is `atLeast`. Throws 503 when that takes longer than 2 s, and
   * while the first copy of the log is not complete.
   */
  reached(atLeast?: bigint): Promise<bigint>;
  /** Does the same as `reached`, but after 2 s returns the position as it is. */
  approached(position: bigint): Promise<bigint>;
}

const WAIT_MS_MAX = 2_000;
const POLL_MS = 50;

interface Waiter {
  readonly position: bigint;
  readonly resolve: (reached: bigint | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** All requests that wait share one statement every 50 ms. */
export function makeFreshness(readPosition: () => Promise<bigint>): Freshness {
  const waiters = new Set<Waiter>();
  let isPolling = false;

  async function poll(): Promise<void> {
    try {
      const reached = await readPosition();
      for (const waiter of waiters) if (reached >= waiter.position) waiter.resolve(reached);
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
    }
    isPolling = waiters.size > 0;
    if (isPolling) setTimeout(() => void poll(), POLL_MS);
  }

  async function wait(position: bigint): Promise<bigint | undefined> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => finish(() => resolve(undefined)), WAIT_MS_MAX);
      const waiter: Waiter = {
        position,
        resolve: (reached) => finish(() => resolve(reached)),
        reject: (error) => finish(() => reject(error)),
      };
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        waiters.delete(waiter);
        settle();
      };
      waiters.add(waiter);
      if (isPolling) return;
      isPolling = true;
      void poll();
    });
  }

  return {
    async reached(atLeast = 0n) {
      const now = await readPosition();
      const reached = now >= atLeast ? now : await wait(atLeast);
      if (reached === undefined) throw new ProblemError(unavailable(1));
      return reached;
    },
    async approached(position) {
      const now = await readPosition();
      return now >= position ? now : ((await wait(position)) ?? (await readPosition()));
    },
  };
}

/** Everything up to it is here. Throws 503 while a back-fill runs: what is missing then may exist (rulings R37). */
export async function appliedPosition(pool: pg.Pool): Promise<bigint> {
  const { rows } = await pool.query<{ position: string }>({
    name: 'follow-position',
    text: COMPLETE_TO_SQL,
  });
  if (rows[0] === undefined) throw new ProblemError(unavailable(5));
  return BigInt(rows[0].position);
}
