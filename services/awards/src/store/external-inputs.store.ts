import type { BidsOpened } from '@procurement/contracts/events/bid.events';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { transact } from '@procurement/kit/database/transaction';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Outbox } from '@procurement/kit/messaging/outbox';
import type { Replica } from '@procurement/kit/messaging/replica';
import type { RoundResult } from '@procurement/kit/runtime/scheduler';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { decideAwarding } from '../domain/awarding.decide.ts';
import { foldAwarding } from '../domain/awarding.evolve.ts';
import type {
  AwardingEvent,
  AwardSettings,
  DecisionContext,
  ApplyExternalInput,
  TenderItem,
} from '../domain/awarding.ts';
import { awardsWithoutContract } from '../domain/contract.create.ts';
import { tenderTime } from '@procurement/domain/tender-time';
import { dueInRealTime, readBids, type AwardingRecord } from './awarding.row.ts';
import { dueAwardings, lockAwarding, lockAwardings, lockDueAwardings } from './load-awardings.ts';
import { saveAwarding, saveDue } from './save-awarding.ts';
import type { ItemsOf } from './items-reader.ts';
import { newestInReplica } from './newest-in-replica.ts';
import type { NewestTender } from './tender-reader.ts';

export interface BidsOpenedInput {
  readonly opened: BidsOpened;
  readonly correlationId: string;
}

/** Applies inputs without a caller: opened bids and clock ticks. */
export interface ExternalInputsStore {
  /**
   * Runs in the caller's transaction. Throws when a tender is unknown, so that the event is redelivered; UnavailableError when
   * the tenders service does not answer for a tender without a local copy, so that the event waits for it.
   */
  applyOpenedBids(tx: pg.PoolClient, openings: readonly BidsOpenedInput[]): Promise<void>;
  /** Recomputes the deadlines of the awards of changed tenders, by the newest facts of the replica. Runs in the caller's transaction. */
  reschedule(tx: pg.PoolClient, tenders: readonly TenderFacts[]): Promise<void>;
  /** Applies a tick to at most `max` tenders whose awards are due, in one transaction. */
  runDue(max: number): Promise<RoundResult>;
}

export interface ExternalInputsStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly log: Logger;
  readonly settings: AwardSettings;
  readonly tenders: Replica<TenderFacts>;
  readonly newestTender: NewestTender;
  readonly itemsOf: ItemsOf;
  readonly wakeAt: (at: Instant) => void;
}

/** Delay of an awarding that is due but lacks data from an unavailable service (docs/decisions/0035-contracts.md). */
const POSTPONE_MICROS = 5_000_000;
const CLOCK_REQUEST_ID = 'clock';

/** Data for a tick, loaded before the row is locked. */
interface TickInput {
  readonly tender: TenderFacts;
  readonly items: readonly TenderItem[] | undefined;
}

export function externalInputsStore(deps: ExternalInputsStoreDeps): ExternalInputsStore {
  const { pool, outbox, clock, ids, log, settings, tenders } = deps;

  function decideInput(
    { state }: AwardingRecord,
    input: ApplyExternalInput['input'],
    { tender, items }: TickInput,
    now: Instant,
  ): readonly AwardingEvent[] {
    const meta: DecisionContext = { now: tenderTime(now, tender), settings, nextId: ids.next, items };
    const decision = decideAwarding({ ...state, tender }, { type: 'ApplyExternalInput', input, meta });
    return 'accepted' in decision ? decision.accepted : [];
  }

  async function loadTickInput({ state }: AwardingRecord): Promise<TickInput | undefined> {
    const lacksContract = awardsWithoutContract(state).length > 0;
    const [tender, items] = await Promise.all([
      tenders.find(state.id),
      lacksContract ? deps.itemsOf(state.id) : Promise.resolve(undefined),
    ]);
    return tender === undefined ? undefined : { tender, items };
  }

  async function tickOne(
    tx: pg.PoolClient,
    record: AwardingRecord,
    tickInput: TickInput | undefined,
    now: Instant,
  ): Promise<Instant | undefined> {
    const { state } = record;
    const events = tickInput === undefined ? [] : decideInput(record, { type: 'Tick' }, tickInput, now);
    if (tickInput !== undefined && events.length > 0) {
      const context = { now, requestId: CLOCK_REQUEST_ID, awaitsApplied: false };
      return (await saveAwarding(tx, deps, foldAwarding(state, events), tickInput.tender, context)).dueAt;
    }
    const due = tickInput === undefined ? now : dueInRealTime(state, tickInput.tender, now, settings);
    // Still due: data from another service is missing. Postponed, so that it does not block other tenders.
    const isStuck = due !== undefined && due <= now;
    if (isStuck) log.warn({ tender: state.id }, 'awarding is due but lacks data, postponed');
    // An instant plus microseconds is an instant.
    const next = isStuck ? ((now + POSTPONE_MICROS) as Instant) : due;
    await saveDue(tx, state.id, next);
    return next;
  }

  function wakeRelayAndScheduler(dueAts: readonly (Instant | undefined)[]): void {
    outbox.wake();
    for (const at of dueAts) if (at !== undefined) deps.wakeAt(at);
  }

  return {
    async applyOpenedBids(tx, openings) {
      const newest = new Map(openings.map((opening) => [opening.opened.id, opening]));
      // Rows are always locked in order of ids, so that two transactions cannot deadlock.
      const ids = [...newest.keys()].toSorted();
      const tendersById = new Map(await Promise.all(ids.map(async (id) => [id, await deps.newestTender(id)] as const)));
      const now = clock.now();
      for (const id of ids) {
        const [opening, tender] = [newest.get(id), tendersById.get(id)];
        if (opening === undefined) continue;
        if (tender === undefined) throw new Error(`unknown tender in bid.opened: ${id}`);
        const record = await lockAwarding(tx, id);
        const input = { type: 'OpenBids', bids: readBids(opening.opened.bids) } as const;
        const events = decideInput(record, input, { tender, items: undefined }, now);
        if (events.length === 0) continue;
        const context = { now, requestId: opening.correlationId, awaitsApplied: false };
        await saveAwarding(tx, deps, foldAwarding(record.state, events), tender, context);
      }
    },

    async reschedule(tx, changed) {
      const byId = new Map((await newestInReplica(tx, changed)).map((tender) => [tender.id, tender]));
      const now = clock.now();
      for (const { state, dueAt } of await lockAwardings(tx, [...byId.keys()])) {
        const tender = byId.get(state.id);
        if (tender === undefined) continue;
        const due = dueInRealTime(state, tender, now, settings);
        if (due !== dueAt) await saveDue(tx, state.id, due);
      }
    },

    async runDue(max) {
      const now = clock.now();
      const found = await dueAwardings(pool, now, max);
      if (found.length === 0) return { processed: 0, latenessMaxMicros: 0 };
      const prepared = new Map(
        await Promise.all(found.map(async (record) => [record.state.id, await loadTickInput(record)] as const)),
      );
      let [processed, dueAts]: [number, readonly (Instant | undefined)[]] = [0, []];
      await transact(pool, async (tx) => {
        const records = await lockDueAwardings(tx, now, [...prepared.keys()]);
        const next: (Instant | undefined)[] = [];
        for (const record of records) next.push(await tickOne(tx, record, prepared.get(record.state.id), now));
        [processed, dueAts] = [records.length, next];
      });
      wakeRelayAndScheduler(dueAts);
      return { processed, latenessMaxMicros: now - (found[0]?.dueAt ?? now) };
    },
  };
}
