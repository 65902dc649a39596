import { DAY, type Instant } from '@procurement/contracts/reading/instant';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop } from '@procurement/kit/runtime/loop';
import type pg from 'pg';
import { purgePublications } from '../store/publication-log.ts';
import type { TransfersStore } from '../store/transfers.store.ts';

export interface PurgeDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly transfers: TransfersStore;
  /** Publications are kept for so many days. */
  readonly publicationDays: number;
}

const PURGE_EVERY_MS = 60_000;
/** http.md 3.6. An object that was taken over keeps the hashes of its transfer; only the offer of one is forgotten. */
const TRANSFER_DAYS = 90;

/** Purges old publications and transfers every minute. */
export function startPurging(deps: PurgeDeps): { stop(): Promise<void> } {
  const { pool, clock, log, transfers, publicationDays } = deps;
  const round = async (): Promise<void> => {
    await Promise.all([
      purgePublications(pool, publicationDays),
      // Safe cast: a whole number of microseconds.
      transfers.purge((clock.now() - TRANSFER_DAYS * DAY) as Instant),
    ]);
  };
  return startLoop(round, { firstMs: PURGE_EVERY_MS, pauseMs: PURGE_EVERY_MS, log, failure: 'old rows not purged' });
}
