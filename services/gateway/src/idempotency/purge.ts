import type { Deps } from '../deps.ts';
import type { IdempotencyStore } from './idempotency.store.ts';

const PURGE_EVERY_MS = 600_000;
const ROWS_MAX = 1_000;

/** Removes all that is older than a day, a bounded number in one statement. */
export async function purgeExpired(store: Pick<IdempotencyStore, 'purge'>): Promise<void> {
  // A full batch says that there may be more; many brokers leave more than one batch between two turns.
  while ((await store.purge(ROWS_MAX)) === ROWS_MAX);
}

/** Purges now and then, until stopped. The database being away costs a warning and one turn. */
export function startIdempotencyPurge({ idempotencyStore, log }: Pick<Deps, 'idempotencyStore' | 'log'>): {
  stop(): void;
} {
  if (idempotencyStore === undefined) return { stop: () => undefined };
  const timer = setInterval(() => {
    purgeExpired(idempotencyStore).catch((error: unknown) => log.warn({ err: error }, 'old answers not purged'));
  }, PURGE_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
