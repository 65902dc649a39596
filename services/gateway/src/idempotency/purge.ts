import type { Logger } from '@procurement/kit/runtime/log';
import type { IdempotencyDeps } from './replay.ts';
import type { IdempotencyStore } from './idempotency.store.ts';

const PURGE_EVERY_MS = 600_000;
const ROWS_MAX = 1_000;

/** Deletes all rows older than 24 hours, a bounded number per statement. */
export async function purgeExpired(store: Pick<IdempotencyStore, 'purge'>): Promise<void> {
  // A full batch means that there may be more.
  while ((await store.purge(ROWS_MAX)) === ROWS_MAX);
}

/** Purges every 10 minutes until stopped. A failed run is logged and the next one tries again. */
export function startIdempotencyPurge({
  idempotencyStore,
  log,
}: Pick<IdempotencyDeps, 'idempotencyStore'> & { readonly log: Logger }): {
  stop(): void;
} {
  if (idempotencyStore === undefined) return { stop: () => undefined };
  const timer = setInterval(() => {
    purgeExpired(idempotencyStore).catch((error: unknown) =>
      log.warn({ err: error }, 'expired idempotency rows not purged'),
    );
  }, PURGE_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
