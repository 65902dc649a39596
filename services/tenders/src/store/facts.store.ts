import type { Instant } from '@procurement/contracts/instant';
import { transact } from '@procurement/kit/database';
import type { Outbox } from '@procurement/kit/outbox';
import type { Round } from '@procurement/kit/scheduler';
import type { Clock } from '@procurement/kit/time';
import type { Logger } from '@procurement/kit/log';
import type pg from 'pg';
import { decideTender } from '../domain/tender.decide.ts';
import { foldTender } from '../domain/tender.evolve.ts';
import { tenderTime } from '../domain/tender.facts-taken.ts';
import type { TenderEvent, TenderFact, TenderSettings, TenderState } from '../domain/tender.ts';
import { loadTender, lockDueTenders, lockTenders } from './load-tenders.ts';
import { saveTenders, type Change, type Saved } from './save-tenders.ts';
import { rowOf, type TenderRecord } from './tender.row.ts';

/** Something that happened elsewhere to a tender of ours. */
export interface FactAbout {
  readonly id: string;
  readonly fact: TenderFact;
}

/** What becomes of tenders without anybody's wish: facts from siblings, and time. */
export interface FactsStore {
  /** In the caller's transaction, which marks the facts as taken; its commit must follow at once. */
  take(tx: pg.PoolClient, facts: readonly FactAbout[], requestId: string): Promise<void>;
  /** Acts for at most so many tenders that are due, in one transaction. */
  runDue(max: number): Promise<Round>;
  /** All that is due for one tender, its clock moved before by what `micros` gives; undefined when there is no such tender. */
  runOne(id: string, micros: (state: TenderState, now: Instant) => number): Promise<TenderState | undefined>;
}

export interface FactsStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: TenderSettings;
  readonly due: (at: Instant) => void;
}

// A tender passes at most all of its statuses in one go.
const STEPS_MAX = 12;
const POSTPONED_MICROS = 60_000_000;
const CLOCK = 'clock';

export function factsStore(deps: FactsStoreDeps): FactsStore {
  const { pool, outbox, clock, log, settings } = deps;

  function stepsOf(state: TenderState, facts: readonly TenderFact[], now: Instant): readonly TenderEvent[] {
    const happened: TenderEvent[] = [];
    for (const fact of facts) {
      const current = happened.length === 0 ? state : foldTender(state, happened);
      const meta = { now: tenderTime(now, current), settings };
      const decision = decideTender(current, { type: 'TakeFact', fact, meta });
      if ('accepted' in decision) happened.push(...decision.accepted);
    }
    return happened;
  }

  /** Ticks until nothing happens any more; what is due and shows only by the passing of time is stored anew. */
  function ticked(before: TenderRecord, begun: readonly TenderEvent[], now: Instant): Change | undefined {
    const happened = [...begun];
    let state = happened.length === 0 ? before.state : foldTender(before.state, happened);
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const events = stepsOf(state, [{ type: 'Tick' }], now);
      if (events.length === 0) break;
      happened.push(...events);
      state = foldTender(state, events);
    }
    if (happened.length > 0) return { before, state, happened };
    const row = rowOf(state, now, settings);
    if (row.viewHash === before.viewHash && row.dueAt === before.dueAt) return undefined;
    const look: TenderEvent = { type: 'TenderChanged', parts: {} };
    return { before, state: foldTender(state, [look]), happened: [look] };
  }

  async function save(
    tx: pg.PoolClient,
    changes: readonly Change[],
    now: Instant,
    requestId: string,
  ): Promise<readonly Saved[]> {
    return changes.length === 0 ? [] : saveTenders(tx, deps, changes, { now, requestId });
  }

  /** Something is due and nothing comes of it: a fault of ours, which must not keep the clock from all others. */
  async function postpone(tx: pg.PoolClient, records: readonly TenderRecord[], now: Instant): Promise<void> {
    const stuck = records.map((record) => record.state.id);
    if (stuck.length === 0) return;
    log.error({ tenders: stuck.slice(0, 10), count: stuck.length }, 'due, and nothing comes of it');
    await tx.query('UPDATE tender SET due_at = $2 WHERE id = ANY($1::text[])', [stuck, now + POSTPONED_MICROS]);
  }

  function announce(saved: readonly Saved[]): void {
    outbox.wake();
    for (const { dueAt } of saved) if (dueAt !== undefined) deps.due(dueAt);
  }

  return {
    async take(tx, facts, requestId) {
      const now = clock.now();
      const byTender = new Map<string, TenderFact[]>();
      for (const { id, fact } of facts) byTender.set(id, [...(byTender.get(id) ?? []), fact]);
      const records = await lockTenders(tx, [...byTender.keys()]);
      const changes = records.flatMap((before): Change[] => {
        const happened = stepsOf(before.state, byTender.get(before.state.id) ?? [], now);
        return happened.length === 0 ? [] : [{ before, state: foldTender(before.state, happened), happened }];
      });
      announce(await save(tx, changes, now, requestId));
    },

    async runDue(max) {
      const now = clock.now();
      let round: Round = { acted: 0, latestMicros: 0 };
      let saved: readonly Saved[] = [];
      await transact(pool, async (tx) => {
        const records = await lockDueTenders(tx, now, max);
        const changes = records.map((record) => ticked(record, [], now));
        await postpone(
          tx,
          records.filter((_, n) => changes[n] === undefined),
          now,
        );
        saved = await save(
          tx,
          changes.flatMap((change) => change ?? []),
          now,
          CLOCK,
        );
        const earliest = records[0]?.dueAt ?? now;
        round = { acted: records.length, latestMicros: now - earliest };
      });
      announce(saved);
      return round;
    },

    async runOne(id, micros) {
      const now = clock.now();
      let saved: readonly Saved[] = [];
      const state = await transact(pool, async (tx) => {
        const before = await loadTender(tx, id, { lock: true });
        if (before === undefined) return undefined;
        const byMicros = micros(before.state, tenderTime(now, before.state));
        const begun = byMicros === 0 ? [] : stepsOf(before.state, [{ type: 'MoveClock', byMicros }], now);
        const change = ticked(before, begun, now);
        saved = await save(tx, change === undefined ? [] : [change], now, CLOCK);
        return change?.state ?? before.state;
      });
      announce(saved);
      return state;
    },
  };
}
