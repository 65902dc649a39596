import type pg from 'pg';
import type { Signal } from '../runtime/signal.ts';
import { isDatabaseUnavailable, isSessionLost } from './transaction.ts';

export interface RetryOptions {
  readonly pool: pg.Pool;
  /** Ends the pauses between attempts. */
  readonly stopSignal: Signal;
  isStopped(): boolean;
  onRetry(error: unknown): void;
}

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 1_000;
/** Sessions that an operation may lose while the database is reachable. More are not caused by an outage. */
const SESSIONS_LOST_MAX = 5;

/**
 * Retries an operation for as long as the database is unavailable. After the stop it throws the last error instead. Throws another
 * error when the operation loses its session again and again while the database is reachable.
 */
export function retryWhileUnavailable({
  pool,
  stopSignal,
  isStopped,
  onRetry,
}: RetryOptions): <T>(operation: () => Promise<T>) => Promise<T> {
  async function isReachable(): Promise<boolean> {
    return pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  return async (operation) => {
    let sessionsLost = 0;
    for (let waitMs = RETRY_MS_MIN; ; waitMs = Math.min(2 * waitMs, RETRY_MS_MAX)) {
      try {
        return await operation();
      } catch (error) {
        if (isStopped() || !isDatabaseUnavailable(error)) throw error;
        onRetry(error);
        if (isSessionLost(error) && (await isReachable()) && (sessionsLost += 1) > SESSIONS_LOST_MAX) {
          throw new Error(`lost ${sessionsLost} sessions of a reachable database`, { cause: error });
        }
        await stopSignal.wait(waitMs);
      }
    }
  };
}
