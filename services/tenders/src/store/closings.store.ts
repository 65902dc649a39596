import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { loadTender } from './load-tenders.ts';
import type { FactsStore } from './facts.store.ts';
import type { TenderState } from '../domain/tender.ts';

/** What the procuring side calls upon the siblings for, and their answers. */
export interface Closings {
  /**
   * Waits until a tender no longer waits for an answer of its siblings, and until nothing more is due for it. Bounded: when
   * they are away, the tender moves on as soon as they are back.
   */
  done(id: string): Promise<void>;
}

const WAIT_MS_MAX = 5_000;
const LOOK_MS = 10;

const AWAITS: ReadonlySet<TenderState['bidding']['phase']> = new Set(['closing', 'opening']);

export function closings(pool: pg.Pool, facts: FactsStore): Closings {
  return {
    async done(id) {
      for (let waitedMs = 0; waitedMs < WAIT_MS_MAX; waitedMs += LOOK_MS) {
        const record = await loadTender(pool, id, { lock: false });
        if (record === undefined || record.state.document.status === 'cancelled') return;
        if (!AWAITS.has(record.state.bidding.phase)) {
          await facts.runOne(id, () => 0);
          return;
        }
        await pause(LOOK_MS);
      }
    },
  };
}
