import type { Logger } from '@procurement/kit/runtime/log';
import { makeSignal } from '@procurement/kit/runtime/signal';
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
  const signal = makeSignal();
  let stopped = false;
  async function run(): Promise<void> {
    for (;;) {
      await signal.wait(PURGE_EVERY_MS);
      if (stopped) return;
      await purgePublications(pool, days).catch((error: unknown) =>
        log.warn({ err: error }, 'publications not purged'),
      );
    }
  }
  const running = run();
  return {
    async stop() {
      stopped = true;
      signal.notify();
      await running;
    },
  };
}
