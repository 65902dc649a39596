import { tenderTime } from '@procurement/domain/tender-time';
import { beginWaits } from '@procurement/kit/messaging/flow-waits';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import { makeSignal } from '@procurement/kit/runtime/signal';
import type pg from 'pg';
import type { TenderSettings } from '../domain/tender.ts';
import { waitsOf } from '../domain/tender.waits.ts';
import { loadTender } from '../store/load-tenders.ts';
import { idsThatMayWait, waitOf } from '../store/tender-waits.ts';

export interface AdoptWaitsDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: TenderSettings;
}

/** After the start, and when a rolling deployment is over: an earlier release beside this one records no waits. */
const ADOPT_AFTER_MS: readonly number[] = [0, 10 * 60_000];
const IDS_MAX = 200;

/** Records the waits that tenders have by their state and that no row tells of. A tender that cannot be read is left out. */
export async function adoptWaits(
  { pool, clock, log, settings }: AdoptWaitsDeps,
  isStopped = () => false,
): Promise<void> {
  let lastId = '';
  for (;;) {
    const ids = await idsThatMayWait(pool, lastId, IDS_MAX);
    for (const id of ids) {
      if (isStopped()) return;
      try {
        const state = (await loadTender(pool, id, { lock: false }))?.state;
        if (state === undefined) continue;
        const flows = waitsOf(state, tenderTime(clock.now(), state), settings);
        await beginWaits(
          pool,
          flows.map((flow) => waitOf(state, flow)),
        );
      } catch (error) {
        log.warn({ err: error, id }, 'waits of a tender not read');
      }
    }
    const last = ids.at(-1);
    if (last === undefined) return;
    lastId = last;
  }
}

/** Runs `adoptWaits` at its times. */
export function startAdoptingWaits(deps: AdoptWaitsDeps): { stop(): Promise<void> } {
  const signal = makeSignal();
  let stopped = false;
  async function run(): Promise<void> {
    for (const afterMs of ADOPT_AFTER_MS) {
      await signal.wait(afterMs);
      if (stopped) return;
      await adoptWaits(deps, () => stopped).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'waits not adopted'),
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
