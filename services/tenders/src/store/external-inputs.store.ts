import { tenderTime } from '@procurement/domain/tender-time';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { PublicationCause } from '@procurement/contracts/resources/causes';
import { transact } from '@procurement/kit/database/transaction';
import type { Outbox } from '@procurement/kit/messaging/publish/outbox';
import type { RoundResult } from '@procurement/kit/service/scheduler';
import type { Clock } from '@procurement/kit/runtime/clock';
import {
  selectBatch,
  isLarge,
  isRowFailure,
  type ClockFailures,
  type DueRow,
  type FailedRow,
} from '@procurement/kit/database/clock-failures';
import type pg from 'pg';
import { causesOfInput } from '../domain/publication-causes.ts';
import { decideTender } from '../domain/tender.decide.ts';
import { foldTender } from '../domain/tender.evolve.ts';
import type { TenderEvent, ExternalInput, TenderSettings, TenderState } from '../domain/tender.ts';
import { loadTender, lockDueTenders, lockRows, lockTenders, tenderBytes } from './load-tenders.ts';
import { saveTenders, type TenderToSave, type SaveResult } from './save-tenders.ts';
import { readRow, buildRow, viewTextAt, type TenderRecord } from './tender.row.ts';

/** An input of one tender. */
export interface TenderExternalInput {
  readonly id: string;
  readonly input: ExternalInput;
}

/** Applies inputs without a caller: events of other services, and clock ticks. */
export interface ExternalInputsStore {
  /** Applies events in the transaction of the inbox. It may take the lock of the feed, so the commit must follow at once. */
  apply(tx: pg.PoolClient, inputs: readonly TenderExternalInput[], requestId: string): Promise<void>;
  /** Bytes of the rows of these tenders that `apply` reads. */
  rowBytes(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Ticks at most `max` due tenders, and at most `DUE_BYTES_MAX` of them, in one transaction. */
  runDue(max: number): Promise<RoundResult>;
  /** Moves the clock of one tender by `shiftMicrosOf`, then ticks it until nothing is due; `undefined` when it does not exist. */
  runOne(id: string, shiftMicrosOf: (state: TenderState, now: Instant) => number): Promise<TenderState | undefined>;
  /** The text of the view after that, without storing it. The other services have not reacted in it. */
  previewOne(id: string, shiftMicrosOf: (state: TenderState, now: Instant) => number): Promise<string | undefined>;
}

export interface ExternalInputsStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly failures: ClockFailures;
  readonly settings: TenderSettings;
  /** Whether publications are logged; off in benchmarks only. */
  readonly logsPublications: boolean;
  readonly wakeAt: (at: Instant) => void;
}

// More ticks than a tender has statuses.
const STEPS_MAX = 12;
const CLOCK_REQUEST_ID = 'clock';
const TICK: ExternalInput = { type: 'Tick' };

/** What changes a view that no input has changed: its time has come. */
const OF_TIME: readonly PublicationCause[] = ['clock'];

/** The events of inputs, and what made the public change, if there is one. */
interface Applied {
  readonly events: readonly TenderEvent[];
  readonly causes: readonly PublicationCause[];
}

export function externalInputsStore(deps: ExternalInputsStoreDeps): ExternalInputsStore {
  const { pool, outbox, clock, failures, settings } = deps;

  function applyInputs(state: TenderState, inputs: readonly ExternalInput[], now: Instant): Applied {
    const events: TenderEvent[] = [];
    const causes: PublicationCause[] = [];
    for (const input of inputs) {
      const current = events.length === 0 ? state : foldTender(state, events);
      const meta = { now: tenderTime(now, current), settings };
      const decision = decideTender(current, { type: 'ApplyExternalInput', input, meta });
      if ('refused' in decision || decision.accepted.length === 0) continue;
      events.push(...decision.accepted);
      causes.push(...causesOfInput(current, input));
    }
    return { events, causes: causes.length === 0 ? OF_TIME : causes };
  }

  /** Moves the time of a tender, and applies what is due then. */
  function moved(
    before: TenderRecord,
    shiftMicrosOf: (state: TenderState, now: Instant) => number,
    now: Instant,
  ): TenderToSave | undefined {
    const byMicros = shiftMicrosOf(before.state, tenderTime(now, before.state));
    const moves: readonly ExternalInput[] = byMicros === 0 ? [] : [{ type: 'MoveClock', byMicros }];
    return applyTicks(before, applyInputs(before.state, moves, now).events, now);
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
      const { events } = applyInputs(state, [TICK], now);
      if (events.length === 0) break;
      allEvents.push(...events);
      state = foldTender(state, events);
    }
    if (allEvents.length > 0) return { before, state, events: allEvents, causes: OF_TIME };
    const row = buildRow(state, now, settings);
    if (row.viewHash === before.viewHash && row.dueAt === before.dueAt) return undefined;
    const viewChange: TenderEvent = { type: 'TenderChanged', parts: {} };
    return { before, state: foldTender(state, [viewChange]), events: [viewChange], causes: OF_TIME };
  }

  /**
   * Ticks these tenders, as far as no other transaction has locked them. A tender that cannot be read or decided is put off
   * and holds no other. `markedDueAt`: the deadline that `markTrial` gave to a large row.
   */
  async function tickAll(
    tx: pg.PoolClient,
    ids: readonly string[],
    now: Instant,
    { markedDueAt }: { readonly markedDueAt?: Instant | undefined } = {},
  ): Promise<readonly SaveResult[]> {
    const changes: TenderToSave[] = [];
    const failed: FailedRow[] = [];
    for (const row of await lockRows(tx, ids)) {
      try {
        const record = readRow(row);
        const isDue = record.dueAt !== undefined && (record.dueAt <= now || record.dueAt === markedDueAt);
        if (!isDue) continue;
        const change = applyTicks(record, [], now);
        // A bug in the decision: it must not hold the clock of all other tenders.
        if (change === undefined) throw new Error('due without effect');
        changes.push(change);
      } catch (error) {
        failed.push({ id: row.id, error });
      }
    }
    await failures.postpone(tx, failed, now);
    return saveTenders(tx, deps, changes, { now, requestId: CLOCK_REQUEST_ID });
  }

  /** Ticks each tender in its own transaction: a large one, or several of which one made a common transaction fail. */
  async function tickEach(
    ids: readonly string[],
    now: Instant,
    options: { readonly markedDueAt?: Instant } = {},
  ): Promise<readonly SaveResult[]> {
    const saved: SaveResult[] = [];
    for (const id of ids) {
      try {
        saved.push(...(await transact(pool, async (tx) => tickAll(tx, [id], now, options))));
      } catch (error) {
        if (!isRowFailure(error)) throw error;
        await transact(pool, async (tx) => failures.postpone(tx, [{ id, error }], now));
      }
    }
    return saved;
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
        const applied = applyInputs(before.state, byTender.get(before.state.id) ?? [], now);
        if (applied.events.length === 0) return [];
        return [{ before, state: foldTender(before.state, applied.events), ...applied }];
      });
      wakeRelayAndScheduler(await saveTenders(tx, deps, changes, { now, requestId }));
    },

    rowBytes: async (ids) => tenderBytes(pool, ids),

    async runDue(max) {
      const now = clock.now();
      await failures.refresh();
      let batch: readonly DueRow[] = [];
      let saved: readonly SaveResult[];
      try {
        saved = await transact(pool, async (tx) => {
          batch = selectBatch(await lockDueTenders(tx, now, max));
          const ids = batch.filter((row) => !isLarge(row)).map((row) => row.id);
          return ids.length === 0 ? [] : tickAll(tx, ids, now);
        });
      } catch (error) {
        if (!isRowFailure(error) || batch.length === 0) throw error;
        saved = await tickEach(
          batch.map((row) => row.id),
          now,
        );
      }
      const [first] = batch;
      if (first !== undefined && isLarge(first)) {
        // Put off before it is tried, so that it does not come first again if it ends the process.
        const markedDueAt = await failures.markTrial(first, now);
        saved = await tickEach([first.id], now, { markedDueAt });
      }
      wakeRelayAndScheduler(saved);
      return { processed: batch.length, latenessMaxMicros: now - (first?.dueAt ?? now) };
    },

    async previewOne(id, shiftMicrosOf) {
      const now = clock.now();
      const before = await loadTender(pool, id, { lock: false });
      if (before === undefined) return undefined;
      const { state } = moved(before, shiftMicrosOf, now) ?? before;
      return viewTextAt(buildRow(state, now, settings), now);
    },

    async runOne(id, shiftMicrosOf) {
      const now = clock.now();
      let saved: readonly SaveResult[] = [];
      const state = await transact(pool, async (tx) => {
        const before = await loadTender(tx, id, { lock: true });
        if (before === undefined) return undefined;
        const change = moved(before, shiftMicrosOf, now);
        const changes = change === undefined ? [] : [change];
        saved = await saveTenders(tx, deps, changes, { now, requestId: CLOCK_REQUEST_ID });
        return change?.state ?? before.state;
      });
      wakeRelayAndScheduler(saved);
      return state;
    },
  };
}
