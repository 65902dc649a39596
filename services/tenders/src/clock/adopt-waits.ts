import { tenderTime } from '@procurement/domain/tender-time';
import { beginWaits } from '@procurement/kit/messaging/flow-waits';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop, type AfterRound } from '@procurement/kit/runtime/loop';
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

/** Longer than a rolling deployment takes. */
const AGAIN_MS = 10 * 60_000;
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

/** Runs `adoptWaits` after the start, and when a rolling deployment is over: an earlier release beside this one records no waits. */
export function startAdoptingWaits(deps: AdoptWaitsDeps): { stop(): Promise<void> } {
  let isLast = false;
  async function round(stopping: AbortSignal): Promise<AfterRound> {
    await adoptWaits(deps, () => stopping.aborted);
    if (isLast) return 'end';
    isLast = true;
    return undefined;
  }
  return startLoop(round, { pauseMs: AGAIN_MS, log: deps.log, failure: 'waits not adopted' });
}
