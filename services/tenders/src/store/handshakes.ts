import { setTimeout as pause } from 'node:timers/promises';
import { AuctionRun, AwardsRun, type RunDueRequest } from '@procurement/contracts/events/run-due';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import type { z } from 'zod';
import { mayBeDueElsewhere, showsRun, type OtherServicesRun } from '../domain/other-services-run.ts';
import type { TenderState } from '../domain/tender.ts';
import type { ExternalInputsStore } from './external-inputs.store.ts';
import { loadTender } from './load-tenders.ts';

/** The requests of a tender to other services, and their answers (architecture.md). */
export interface Handshakes {
  /**
   * Runs what is due of a tender here, in awards and in auction, until nothing is and the tender shows all of it (rulings R18). What ran
   * may make something else due, so it asks again. Gives up after 5 s; a service that is away runs the same later by its own clock.
   */
  awaitDone(id: string): Promise<void>;
}

export interface HandshakesDeps {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly externalInputs: ExternalInputsStore;
}

const WAIT_MS_MAX = 5_000;
const POLL_MS = 10;

const AWAITING_PHASES: ReadonlySet<TenderState['bidding']['phase']> = new Set(['closing', 'opening']);

export function makeHandshakes({ pool, bus, externalInputs }: HandshakesDeps): Handshakes {
  async function ask<T>(subject: string, id: string, answer: z.ZodType<T>, timeoutMs: number): Promise<T | undefined> {
    const response = await sendRequest(bus, subject, { id } satisfies RunDueRequest, timeoutMs);
    return response.kind === 'answer' ? answer.parse(response.value) : undefined;
  }

  async function runElsewhere(tender: TenderState, timeoutMs: number): Promise<OtherServicesRun> {
    const { id } = tender;
    const may = mayBeDueElsewhere(tender);
    const [awards, auction] = await Promise.all([
      may.awards ? ask(rpcSubjects.runDueAwards, id, AwardsRun, timeoutMs) : undefined,
      may.auction ? ask(rpcSubjects.runDueAuction, id, AuctionRun, timeoutMs) : undefined,
    ]);
    return { awards, auction };
  }

  return {
    async awaitDone(id) {
      const giveUpAtMs = monotonicMs() + WAIT_MS_MAX * bus.waitFactor;
      const leftMs = (): number => giveUpAtMs - monotonicMs();
      /** Waits for a state; undefined when the tender is cancelled, or at the end of the time. */
      const awaitState = async (isReached: (tender: TenderState) => boolean): Promise<TenderState | undefined> => {
        for (; leftMs() > 0; await pause(POLL_MS)) {
          const tender = (await loadTender(pool, id, { lock: false }))?.state;
          if (tender === undefined || tender.document.status === 'cancelled') return undefined;
          if (isReached(tender)) return tender;
        }
        return undefined;
      };
      const isAnswered = ({ bidding }: TenderState): boolean => !AWAITING_PHASES.has(bidding.phase);
      while ((await awaitState(isAnswered)) !== undefined) {
        const tender = await externalInputs.runOne(id, () => 0);
        if (tender === undefined) return;
        if (!isAnswered(tender)) continue;
        const run = await runElsewhere(tender, Math.max(leftMs(), 1));
        const shown = await awaitState((state) => showsRun(state, run));
        // What ran elsewhere may make something else due.
        if (shown === undefined || shown.version === tender.version) return;
      }
    },
  };
}
