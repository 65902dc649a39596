import { monotonicMs } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import { isDatabaseUnavailable, isLockTimeout, isStatementTimeout, sqlState } from './transaction.ts';

const GIVE_UP_MS = 60_000;
const WAIT_MS_MIN = 100;
const WAIT_MS_MAX = 2_000;
/** 28 credentials, 3D no such database: a process that starts has wrong settings rather than a server that is away. */
const WRONG_SETTINGS = /^(?:28|3D)/;

/**
 * Repeats `connect` while the database is unavailable: it may start after this process, or recover from a crash. Throws any other error
 * at once, and the last one after a minute.
 */
export async function waitForDatabase<T>(log: Logger, connect: () => Promise<T>): Promise<T> {
  const giveUpAt = monotonicMs() + GIVE_UP_MS;
  for (let waitMs = WAIT_MS_MIN; ; waitMs = Math.min(waitMs * 2, WAIT_MS_MAX)) {
    try {
      return await connect();
    } catch (error) {
      if (monotonicMs() > giveUpAt || !mayPass(error)) throw error;
      log.warn({ err: error }, 'database not available yet');
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

function mayPass(error: unknown): boolean {
  if (WRONG_SETTINGS.test(sqlState(error) ?? '')) return false;
  return isDatabaseUnavailable(error) || isStatementTimeout(error) || isLockTimeout(error);
}
