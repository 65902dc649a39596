import { setTimeout as pause } from 'node:timers/promises';
import { ConflictError, isLockTimeout, transact } from '@procurement/kit/database/transaction';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type pg from 'pg';

/** The same as `lock_timeout` of the pool. */
const WAIT_MS_MAX = 2_000;
const PAUSE_MS_MIN = 10;
const PAUSE_MS_MAX = 250;

/**
 * Runs a transaction that locks a row with NOWAIT. While somebody else holds the row it is tried again, and holds no connection between
 * the attempts: auctions that are held must not take the connections of all others. Throws ConflictError after 2 s.
 */
export async function whenUnlocked<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  const untilMs = monotonicMs() + WAIT_MS_MAX;
  for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    try {
      return await transact(pool, work);
    } catch (error) {
      const isHeld = error instanceof ConflictError && isLockTimeout(error.cause);
      if (!isHeld || monotonicMs() >= untilMs) throw error;
      await pause(pauseMs);
    }
  }
}
