import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { loadTender } from './load-tenders.ts';
import type { ExternalInputsStore } from './external-inputs.store.ts';
import type { TenderState } from '../domain/tender.ts';

/** The requests of a tender to other services, and their answers (architecture.md). */
export interface Handshakes {
  /**
   * Waits until the tender no longer waits for an answer of another service, then applies what is due. Gives up after 5 s;
   * the tender then continues when the answer arrives.
   */
  awaitDone(id: string): Promise<void>;
}

const WAIT_MS_MAX = 5_000;
const POLL_MS = 10;

const AWAITING_PHASES: ReadonlySet<TenderState['bidding']['phase']> = new Set(['closing', 'opening']);

export function makeHandshakes(pool: pg.Pool, externalInputs: ExternalInputsStore): Handshakes {
  return {
    async awaitDone(id) {
      for (let waitedMs = 0; waitedMs < WAIT_MS_MAX; waitedMs += POLL_MS) {
        const record = await loadTender(pool, id, { lock: false });
        if (record === undefined || record.state.document.status === 'cancelled') return;
        if (!AWAITING_PHASES.has(record.state.bidding.phase)) {
          await externalInputs.runOne(id, () => 0);
          return;
        }
        await pause(POLL_MS);
      }
    },
  };
}
