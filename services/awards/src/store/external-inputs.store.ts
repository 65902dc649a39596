import type { BidsOpened } from '@procurement/contracts/events/bid.events';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { transact } from '@procurement/kit/database/transaction';
import {
  selectBatch,
  isLarge,
  isRowFailure,
  type ClockFailures,
  type FailedRow,
} from '@procurement/kit/database/clock-failures';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { Logger } from '@procurement/kit/runtime/log';
import {
  allowsDecision,
  NOT_FROZEN,
  type DecisionFreeze,
  type FreezeState,
} from '@procurement/kit/messaging/request/decision-freeze';
import type { Outbox } from '@procurement/kit/messaging/publish/outbox';
import type { Replica } from '@procurement/kit/messaging/consume/replica';
import type { RoundResult } from '@procurement/kit/service/scheduler';
import type { Clock } from '@procurement/kit/runtime/clock';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';
import type pg from 'pg';
import { decideAwarding } from '../domain/awarding.decide.ts';
import { foldAwarding } from '../domain/awarding.evolve.ts';
import type {
  Awarding,
  AwardingEvent,
  AwardSettings,
  DecisionContext,
  ApplyExternalInput,
} from '../domain/awarding.ts';
import { awardsWithoutContract } from '../domain/contract.create.ts';
import { tenderTime } from '@procurement/domain/tender-time';
import { dueInRealTime, readBids, readRow, type AwardingRecord } from './awarding.row.ts';
import {
  awardingBytes,
  awardingVersion,
  dueAwardings,
  loadAwarding,
  lockAwarding,
  lockAwardings,
  lockRows,
} from './load-awardings.ts';
import { requireNotFrozen } from './awardings.store.ts';
import { awardChangedRow, saveAwardings, saveDue, type AwardingToSave } from './save-awardings.ts';
import type { CopiedByContracts, CopiedOf } from './copied-reader.ts';
import { newestInReplica } from './newest-in-replica.ts';
import type { CurrentTenders } from './tender-reader.ts';

export interface BidsOpenedInput {
  readonly opened: BidsOpened;
  readonly correlationId: string;
}

/** Applies inputs without a caller: opened bids and clock ticks. */
export interface ExternalInputsStore {
  /**
   * Runs in the caller's transaction. Decides by the tender as its owner has it now: the local copy follows by another durable,
   * which may be behind this one (decision 0064). Throws when a tender is unknown or frozen, so that the event is redelivered;
   * UnavailableError when the tenders service does not answer, so that the event waits for it.
   */
  applyOpenedBids(tx: pg.PoolClient, openings: readonly BidsOpenedInput[]): Promise<void>;
  /**
   * Recomputes the deadlines of the awards of changed tenders, by the newest facts of the replica. Runs in the caller's transaction.
   * Returns the awardings that it has locked.
   */
  reschedule(tx: pg.PoolClient, tenders: readonly TenderFacts[]): Promise<readonly Awarding[]>;
  /** Bytes of the rows of these tenders' awardings. */
  rowBytes(tenderIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Applies a tick to at most `max` tenders whose awards are due, and at most `DUE_BYTES_MAX` of them, in one transaction. */
  runDue(max: number): Promise<RoundResult>;
  /** Ticks one tender by its owner's facts until nothing is due. Resolves with the version of its awards. */
  runOne(tenderId: string): Promise<number>;
}

export interface ExternalInputsStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly log: Logger;
  readonly failures: ClockFailures;
  readonly settings: AwardSettings;
  readonly tenders: Replica<TenderFacts>;
  readonly freeze: DecisionFreeze;
  readonly currentTenders: CurrentTenders;
  readonly copiedOf: CopiedOf;
  readonly wakeAt: (at: Instant) => void;
}

/** Delay of an awarding that is due but lacks data from an unavailable service (docs/decisions/0035-contracts.md). */
const POSTPONE_MICROS = 5_000_000;
const CLOCK_REQUEST_ID = 'clock';
/** More ticks than a complaint has statuses. */
const STEPS_MAX = 12;

/** Data for a tick, loaded before the row is locked. */
interface TickInput {
  readonly tender: TenderFacts;
  readonly copied: CopiedByContracts | undefined;
}

/** `failed`: the row or the data cannot be read. */
type LoadedInput = { readonly input: TickInput | undefined } | { readonly failed: unknown };

interface TickResult {
  /** Rows that were locked. */
  readonly processed: number;
  readonly dueAts: readonly (Instant | undefined)[];
}

/** What a tick does to an awarding. */
interface DecidedTick {
  readonly record: AwardingRecord;
  readonly input: TickInput | undefined;
  readonly events: readonly AwardingEvent[];
  /** The next deadline when there are no events. */
  readonly due: Instant | undefined;
}

export function externalInputsStore(deps: ExternalInputsStoreDeps): ExternalInputsStore {
  const { pool, outbox, clock, ids, log, settings, tenders, failures, freeze } = deps;

  function decideInput(
    { state }: AwardingRecord,
    input: ApplyExternalInput['input'],
    { tender, copied }: TickInput,
    now: Instant,
  ): readonly AwardingEvent[] {
    const meta: DecisionContext = { now: tenderTime(now, tender), settings, nextId: ids.next, ...copied };
    const decision = decideAwarding({ ...state, tender }, { type: 'ApplyExternalInput', input, meta });
    return 'accepted' in decision ? decision.accepted : [];
  }

  async function loadTickInput(id: string): Promise<LoadedInput> {
    try {
      const { state } = await loadAwarding(pool, id);
      const lacksContract = awardsWithoutContract(state).length > 0;
      const [tender, copied] = await Promise.all([
        tenders.find(id),
        lacksContract ? deps.copiedOf(id) : Promise.resolve(undefined),
      ]);
      return { input: tender === undefined ? undefined : { tender, copied } };
    } catch (error) {
      if (error instanceof UnavailableError) return { input: undefined };
      if (!isRowFailure(error)) throw error;
      return { failed: error };
    }
  }

  /** Runs in the background: without an event of the newer facts, each later tick would be refused too. */
  function askForNewerFacts(id: string): void {
    tenders.refresh(id).catch((error: unknown) => log.warn({ err: error, tenderId: id }, 'newer facts not fetched'));
  }

  /** A tender that is being cancelled, or was since its facts were read, is ticked later. */
  function unlessFrozen(input: TickInput | undefined, state: FreezeState = NOT_FROZEN): TickInput | undefined {
    return input !== undefined && allowsDecision(state, input.tender.version) ? input : undefined;
  }

  function decideTick(record: AwardingRecord, input: TickInput | undefined, now: Instant): DecidedTick {
    if (input === undefined) return { record, input, events: [], due: now };
    const events = decideInput(record, { type: 'Tick' }, input, now);
    const due = events.length > 0 ? undefined : dueInRealTime(record.state, input.tender, now, settings);
    return { record, input, events, due };
  }

  /** Stores the next deadline of an awarding that a tick did not change. */
  async function postpone(
    tx: pg.PoolClient,
    { record: { state }, due }: DecidedTick,
    now: Instant,
  ): Promise<Instant | undefined> {
    // Still due: data from another service is missing. Postponed, so that it does not block other tenders.
    const isStuck = due !== undefined && due <= now;
    if (isStuck) log.warn({ tenderId: state.id }, 'awarding is due but frozen or without data, postponed');
    // An instant plus microseconds is an instant.
    const next = isStuck ? ((now + POSTPONE_MICROS) as Instant) : due;
    await saveDue(tx, state.id, next);
    return next;
  }

  /** Undefined for an awarding that a tick did not change. */
  function toSave({ record: { state }, input, events }: DecidedTick): AwardingToSave | undefined {
    if (input === undefined || events.length === 0) return undefined;
    return { before: state, state: foldAwarding(state, events), tender: input.tender, requestId: CLOCK_REQUEST_ID };
  }

  async function saveTicks(
    tx: pg.PoolClient,
    ticks: readonly DecidedTick[],
    now: Instant,
  ): Promise<readonly (Instant | undefined)[]> {
    const dueAts: (Instant | undefined)[] = [];
    const changes: AwardingToSave[] = [];
    for (const tick of ticks) {
      const change = toSave(tick);
      if (change === undefined) dueAts.push(await postpone(tx, tick, now));
      else changes.push(change);
    }
    const saved = await saveAwardings(tx, deps, changes, { now, awaitsApplied: false });
    return [...dueAts, ...saved.map(({ dueAt }) => dueAt)];
  }

  /**
   * Ticks these awardings, as far as no other transaction has locked them. An awarding that cannot be read or decided is put
   * off and holds no other. `markedDueAt`: the deadline that `markTrial` gave to a large row.
   */
  async function tickAll(
    tx: pg.PoolClient,
    inputs: ReadonlyMap<string, LoadedInput>,
    now: Instant,
    { markedDueAt }: { readonly markedDueAt?: Instant | undefined } = {},
  ): Promise<TickResult> {
    const decided: DecidedTick[] = [];
    const failed: FailedRow[] = [];
    const rows = await lockRows(tx, [...inputs.keys()]);
    const freezes = await freeze.read(tx, [...inputs.keys()]);
    for (const row of rows) {
      try {
        const loaded = inputs.get(row.id) ?? { input: undefined };
        if ('failed' in loaded) throw loaded.failed;
        const record = readRow(row);
        const isDue = record.dueAt !== undefined && (record.dueAt <= now || record.dueAt === markedDueAt);
        if (!isDue) continue;
        const input = unlessFrozen(loaded.input, freezes.get(row.id));
        const { isHeld } = freezes.get(row.id) ?? NOT_FROZEN;
        if (isHeld) freeze.liftAbandoned(row.id);
        else if (input === undefined && loaded.input !== undefined) askForNewerFacts(row.id);
        decided.push(decideTick(record, input, now));
      } catch (error) {
        failed.push({ id: row.id, error });
      }
    }
    await failures.postpone(tx, failed, now);
    return { processed: rows.length, dueAts: await saveTicks(tx, decided, now) };
  }

  /** Ticks each awarding in its own transaction, because one of them made a common transaction fail. */
  async function tickEach(
    inputs: ReadonlyMap<string, LoadedInput>,
    now: Instant,
    options: { readonly markedDueAt: Instant | undefined },
  ): Promise<TickResult> {
    const dueAts: (Instant | undefined)[] = [];
    for (const [id, input] of inputs) {
      try {
        const result = await transact(pool, async (tx) => tickAll(tx, new Map([[id, input]]), now, options));
        dueAts.push(...result.dueAts);
      } catch (error) {
        if (!isRowFailure(error)) throw error;
        await transact(pool, async (tx) => failures.postpone(tx, [{ id, error }], now));
      }
    }
    return { processed: inputs.size, dueAts };
  }

  function wakeRelayAndScheduler(dueAts: readonly (Instant | undefined)[]): void {
    outbox.wake();
    for (const at of dueAts) if (at !== undefined) deps.wakeAt(at);
  }

  /** One step of `runOne`. False when nothing was due, or nothing could be done. */
  async function tickOne(id: string): Promise<boolean> {
    const loaded = await loadTickInput(id);
    if ('failed' in loaded) throw loaded.failed;
    const dueAts: (Instant | undefined)[] = [];
    const hasEvents = await transact(pool, async (tx) => {
      const record = await lockAwarding(tx, id);
      const now = clock.now();
      const input = unlessFrozen(loaded.input, (await freeze.read(tx, [id])).get(id));
      const due = input === undefined ? undefined : dueInRealTime(record.state, input.tender, now, settings);
      if (due === undefined || due > now) return false;
      const ticked = decideTick(record, input, now);
      dueAts.push(...(await saveTicks(tx, [ticked], now)));
      return ticked.events.length > 0;
    });
    wakeRelayAndScheduler(dueAts);
    return hasEvents;
  }

  return {
    async runOne(tenderId) {
      // The event with the moved clock may not have arrived.
      await tenders.refresh(tenderId);
      for (let step = 0; step < STEPS_MAX && (await tickOne(tenderId)); step += 1);
      return awardingVersion(pool, tenderId);
    },

    async applyOpenedBids(tx, openings) {
      const newest = new Map(openings.map((opening) => [opening.opened.id, opening]));
      // Rows are always locked in order of ids, so that two transactions cannot deadlock.
      const ids = [...newest.keys()].toSorted();
      const tendersById = await deps.currentTenders(ids);
      const now = clock.now();
      const opened: AwardingToSave[] = [];
      for (const id of ids) {
        const [opening, tender] = [newest.get(id), tendersById.get(id)];
        if (opening === undefined) continue;
        if (tender === undefined) throw new Error(`unknown tender in bid.opened: ${id}`);
        const record = await lockAwarding(tx, id);
        await requireNotFrozen(tx, freeze, tender);
        const input = { type: 'OpenBids', bids: readBids(opening.opened.bids) } as const;
        const events = decideInput(record, input, { tender, copied: undefined }, now);
        const requestId = opening.correlationId;
        if (events.length === 0) {
          // A repeated request: the tenders service may have lost the answer.
          await outbox.append(tx, [
            awardChangedRow(outbox, record.state, tender, { now, requestId, awaitsApplied: false }),
          ]);
          continue;
        }
        opened.push({ before: record.state, state: foldAwarding(record.state, events), tender, requestId });
      }
      await saveAwardings(tx, deps, opened, { now, awaitsApplied: false });
    },

    async reschedule(tx, changed) {
      const byId = new Map((await newestInReplica(tx, changed)).map((tender) => [tender.id, tender]));
      const now = clock.now();
      const locked: Awarding[] = [];
      for (const record of await lockAwardings(tx, [...byId.keys()])) {
        if ('unreadableId' in record) {
          // The replica must have the event all the same; the clock reports the row and tries it again.
          await saveDue(tx, record.unreadableId, now);
          continue;
        }
        const { state, dueAt } = record;
        const tender = byId.get(state.id);
        if (tender === undefined) continue;
        const due = dueInRealTime(state, tender, now, settings);
        if (due !== dueAt) await saveDue(tx, state.id, due);
        locked.push({ ...state, tender });
      }
      return locked;
    },

    rowBytes: async (tenderIds) => awardingBytes(pool, tenderIds),

    async runDue(max) {
      const now = clock.now();
      await failures.refresh();
      const batch = selectBatch(await dueAwardings(pool, now, max));
      const [first] = batch;
      if (first === undefined) return { processed: 0, latenessMaxMicros: 0 };
      // Put off before it is tried, so that it does not come first again if it ends the process.
      const markedDueAt = isLarge(first) ? await failures.markTrial(first, now) : undefined;
      const inputs = new Map(await Promise.all(batch.map(async ({ id }) => [id, await loadTickInput(id)] as const)));
      let result: TickResult;
      try {
        result = await transact(pool, async (tx) => tickAll(tx, inputs, now, { markedDueAt }));
      } catch (error) {
        if (!isRowFailure(error)) throw error;
        result = await tickEach(inputs, now, { markedDueAt });
      }
      wakeRelayAndScheduler(result.dueAts);
      return { processed: result.processed, latenessMaxMicros: now - first.dueAt };
    },
  };
}
