import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop } from '@procurement/kit/runtime/loop';
import type pg from 'pg';
import { purgePublications } from '../store/publication-log.ts';

export interface PurgePublicationsDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** Publications are kept for so many days. */
  readonly days: number;
}

const PURGE_EVERY_MS = 60_000;

/** Purges the log of publications every minute. */
export function startPurgingPublications({ pool, log, days }: PurgePublicationsDeps): { stop(): Promise<void> } {
  const round = async (): Promise<void> => void (await purgePublications(pool, days));
  const failure = 'publications not purged';
  return startLoop(round, { firstMs: PURGE_EVERY_MS, pauseMs: PURGE_EVERY_MS, log, failure });
}
