import type { Deps } from '../deps.ts';
import type { KeptAnswers } from './kept-answers.store.ts';

const PURGE_EVERY_MS = 600_000;
const ROWS_MAX = 1_000;

/** Removes all that is older than a day, a bounded number in one statement. */
export async function purgeAll(kept: Pick<KeptAnswers, 'purge'>): Promise<void> {
  // A full batch says that there may be more; many brokers leave more than one batch between two turns.
  while ((await kept.purge(ROWS_MAX)) === ROWS_MAX);
}

/** Purges now and then, until stopped. The database being away costs a warning and one turn. */
export function purgeKeptAnswers({ kept, log }: Pick<Deps, 'kept' | 'log'>): { stop(): void } {
  if (kept === undefined) return { stop: () => undefined };
  const timer = setInterval(() => {
    purgeAll(kept).catch((error: unknown) => log.warn({ err: error }, 'old answers not purged'));
  }, PURGE_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
