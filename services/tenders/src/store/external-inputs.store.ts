import { tenderTime } from '@procurement/domain/tender-time';
import type { Instant } from '@procurement/contracts/reading/instant';
import { transact } from '@procurement/kit/database/transaction';
import type { Outbox } from '@procurement/kit/messaging/outbox';
import type { RoundResult } from '@procurement/kit/runtime/scheduler';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { decideTender } from '../domain/tender.decide.ts';
import { foldTender } from '../domain/tender.evolve.ts';
import type { TenderEvent, ExternalInput, TenderSettings, TenderState } from '../domain/tender.ts';
import { loadTender, lockDueTenders, lockTenders } from './load-tenders.ts';
import { saveTenders, type TenderToSave, type SaveResult } from './save-tenders.ts';
import { rowOf, type TenderRecord } from './tender.row.ts';

/** An input of one tender. */
export interface TenderExternalInput {
  readonly id: string;
  readonly input: ExternalInput;
}

/** Applies inputs without a caller: events of other services, and clock ticks. */
export interface ExternalInputsStore {
  /** Applies events in the transaction of the inbox. It may take the lock of the feed, so the commit must follow at once. */
  apply(tx: pg.PoolClient, inputs: readonly TenderExternalInput[], requestId: string): Promise<void>;
  /** Ticks at most `max` due tenders, in one transaction. */
  runDue(max: number): Promise<RoundResult>;
  /** Moves the clock of one tender by `shiftMicrosOf`, then ticks it until nothing is due; `undefined` when it does not exist. */
  runOne(id: string, shiftMicrosOf: (state: TenderState, now: Instant) => number): Promise<TenderState | undefined>;
}

export interface ExternalInputsStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: TenderSettings;
  readonly wakeAt: (at: Instant) => void;
}

// More ticks than a tender has statuses.
const STEPS_MAX = 12;
const POSTPONE_MICROS = 60_000_000;
const CLOCK_REQUEST_ID = 'clock';

export function externalInputsStore(deps: ExternalInputsStoreDeps): ExternalInputsStore {
  const { pool, outbox, clock, log, settings } = deps;

  function applyInputs(state: TenderState, inputs: readonly ExternalInput[], now: Instant): readonly TenderEvent[] {
    const events: TenderEvent[] = [];
    for (const input of inputs) {
      const current = events.length === 0 ? state : foldTender(state, events);
      const meta = { now: tenderTime(now, current), settings };
      const decision = decideTender(current, { type: 'ApplyExternalInput', input, meta });
      if ('accepted' in decision) events.push(...decision.accepted);
    }
    return events;
  }

  /** Ticks until there is no event. Saves a tender without events too if the time has changed its view or its next deadline. */
  function applyTicks(
    before: TenderRecord,
    eventsBefore: readonly TenderEvent[],
    now: Instant,
  ): TenderToSave | undefined {
    const allEvents = [...eventsBefore];
    let state = allEvents.length === 0 ? before.state : foldTender(before.state, allEvents);
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const events = applyInputs(state, [{ type: 'Tick' }], now);
      if (events.length === 0) break;
      allEvents.push(...events);
      state = foldTender(state, events);
    }
    if (allEvents.length > 0) return { before, state, events: allEvents };
    const row = rowOf(state, now, settings);
    if (row.viewHash === before.viewHash && row.dueAt === before.dueAt) return undefined;
    const viewChange: TenderEvent = { type: 'TenderChanged', parts: {} };
    return { before, state: foldTender(state, [viewChange]), events: [viewChange] };
  }

  async function save(
    tx: pg.PoolClient,
    changes: readonly TenderToSave[],
    now: Instant,
    requestId: string,
  ): Promise<readonly SaveResult[]> {
    return changes.length === 0 ? [] : saveTenders(tx, deps, changes, { now, requestId });
  }

  /** Postpones tenders that are due and have no event: a bug here, which must not block the clock of all other tenders. */
  async function postpone(tx: pg.PoolClient, records: readonly TenderRecord[], now: Instant): Promise<void> {
    const stuck = records.map((record) => record.state.id);
    if (stuck.length === 0) return;
    log.error({ tenders: stuck.slice(0, 10), count: stuck.length }, 'due tenders without effect, postponed');
    await tx.query('UPDATE tender SET due_at = $2 WHERE id = ANY($1::text[])', [stuck, now + POSTPONE_MICROS]);
  }

  function wakeRelayAndScheduler(saved: readonly SaveResult[]): void {
    outbox.wake();
    for (const { dueAt } of saved) if (dueAt !== undefined) deps.wakeAt(dueAt);
  }

  return {
    async apply(tx, inputs, requestId) {
      const now = clock.now();
      const byTender = new Map<string, ExternalInput[]>();
      for (const { id, input } of inputs) byTender.set(id, [...(byTender.get(id) ?? []), input]);
      const records = await lockTenders(tx, [...byTender.keys()]);
      const changes = records.flatMap((before): TenderToSave[] => {
        const events = applyInputs(before.state, byTender.get(before.state.id) ?? [], now);
        return events.length === 0 ? [] : [{ before, state: foldTender(before.state, events), events }];
      });
      wakeRelayAndScheduler(await save(tx, changes, now, requestId));
    },

    async runDue(max) {
      const now = clock.now();
      let round: RoundResult = { processed: 0, latenessMaxMicros: 0 };
      let saved: readonly SaveResult[] = [];
      await transact(pool, async (tx) => {
        const records = await lockDueTenders(tx, now, max);
        const changes = records.map((record) => applyTicks(record, [], now));
        await postpone(
          tx,
          records.filter((_, n) => changes[n] === undefined),
          now,
        );
        saved = await save(
          tx,
          changes.flatMap((change) => change ?? []),
          now,
          CLOCK_REQUEST_ID,
        );
        const earliest = records[0]?.dueAt ?? now;
        round = { processed: records.length, latenessMaxMicros: now - earliest };
      });
      wakeRelayAndScheduler(saved);
      return round;
    },

    async runOne(id, shiftMicrosOf) {
      const now = clock.now();
      let saved: readonly SaveResult[] = [];
      const state = await transact(pool, async (tx) => {
        const before = await loadTender(tx, id, { lock: true });
        if (before === undefined) return undefined;
        const byMicros = shiftMicrosOf(before.state, tenderTime(now, before.state));
        const clockEvents = byMicros === 0 ? [] : applyInputs(before.state, [{ type: 'MoveClock', byMicros }], now);
        const change = applyTicks(before, clockEvents, now);
        saved = await save(tx, change === undefined ? [] : [change], now, CLOCK_REQUEST_ID);
        return change?.state ?? before.state;
      });
      wakeRelayAndScheduler(saved);
      return state;
    },
  };
}
