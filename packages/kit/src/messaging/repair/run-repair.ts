import { dataSchemaUri, type Envelope } from '@procurement/contracts/events/envelope';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import type { JsMsg } from '@nats-io/jetstream';
import type pg from 'pg';
import { ConflictError, isDatabaseUnavailable, transact } from '../../database/transaction.ts';
import { systemClock } from '../../runtime/clock.ts';
import { secureIds } from '../../runtime/ids.ts';
import type { Logger } from '../../runtime/log.ts';
import type { MetricCounter, Metrics } from '../../runtime/metrics.ts';
import type { Bus } from '../bus.ts';
import { writeDeadLetter } from '../dead-letters.ts';
import { requestExisting, requestFactPage } from './fact-pages.ts';
import { fetchEventData } from '../consume/fetch-event-data.ts';
import { claimEvents } from '../consume/inbox.ts';
import { parseEnvelope } from '../parse-envelope.ts';
import { splitByRows } from '../consume/batches-by-rows.ts';
import { advanceRepair, continueWithRebuild, finishRepair, type Repair } from './repair-rows.ts';
import { readAfter } from './stream-range.ts';
import { needsData, type Subscription } from '../consume/subscription.ts';

export interface RepairDeps {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly repaired: MetricCounter;
  /** Facts that are too large for a message. */
  readonly leftOut: MetricCounter;
  /** Called before each transaction; the function it returns is called after the commit. */
  beforeTransaction?(): () => void;
}

/** The counters of the repairs of one durable. */
export function repairCounters(metrics: Metrics, durable: string): Pick<RepairDeps, 'repaired' | 'leftOut'> {
  return {
    repaired: metrics.counter('rebuild_rows_total', 'Events and facts applied by repairs', { durable }),
    leftOut: metrics.counter('rebuild_rows_left_out_total', 'Facts too large for a response', { durable }),
  };
}

/** `waiting`: the owner or the database is away, or another process has made the step. Call again a while later. */
export type StepResult = 'done' | 'advanced' | 'waiting';

const REPLAY_EVENTS_MAX = 100;
const COMPARED_KEYS_MAX = 500;

/** Events of one step, and where the next step begins. */
interface Step {
  readonly events: readonly Delivered[];
  /** The cursor after the last event; undefined: nothing follows. */
  readonly cursor: string | undefined;
  /** Keys of copies that the owner does not have. */
  readonly gone?: readonly string[];
}

interface Delivered {
  readonly event: Envelope | undefined;
  readonly subject: string;
  /** What a dead letter keeps. */
  envelope(): string;
  /** Whether the inbox marks it: an event of the stream, not a fact. */
  readonly fromStream: boolean;
  /** Its data were requested from its publisher. */
  readonly isLarge?: true;
  /** Why the event cannot be applied. */
  readonly failure?: unknown;
}

/**
 * Makes one step of the repair of a durable: one page of facts, or one batch of events. Each step stores its progress in the
 * transaction of its effects, so it can end at any point and be continued by any process. Of processes that make the same step
 * one stores it; the others wait meanwhile. Facts and events go through the `apply` of the subscription, whose versions make
 * them harmless beside live events.
 */
export async function stepRepair(subscription: Subscription, deps: RepairDeps, repair: Repair): Promise<StepResult> {
  const { pool, log } = deps;
  const { durable } = subscription;
  const readStep = { rebuild: factStep, replay: replayStep, removal: removalStep }[repair.kind];
  const step = await readStep(subscription, deps, repair).catch((error: unknown) => {
    log.warn({ err: error, kind: repair.kind }, 'next step of a repair not read, will be tried again');
    return undefined;
  });
  if (step === undefined) return 'waiting';
  if (step.cursor === undefined) {
    if (repair.kind === 'removal') return (await continueWithRebuild(pool, durable, repair)) ? 'advanced' : 'waiting';
    if (!(await finishRepair(pool, durable, repair))) return 'waiting';
    log.info({ kind: repair.kind, reason: repair.reason, applied: repair.applied }, 'repair finished');
    return 'done';
  }
  return applyStep(subscription, deps, repair, { ...step, cursor: step.cursor });
}

async function factStep(
  { stream, durable, factType }: Subscription,
  { bus, log, leftOut }: RepairDeps,
  { cursor }: Repair,
): Promise<Step | undefined> {
  if (factType === undefined) return { events: [], cursor: undefined };
  const page = await requestFactPage(bus, stream, { type: factType, after: cursor ?? '' });
  if (page === undefined) return undefined;
  if (page.tooLarge) {
    leftOut.increment();
    log.error({ key: page.next }, 'fact left out, because it is too large for a response');
  }
  if (page.next === null) return { events: [], cursor: undefined };
  const time = formatServerDate(systemClock.now());
  const correlationid = `rebuild-${durable}`;
  const events = page.facts.map(({ subject, version, data }): Delivered => {
    const event: Envelope = {
      specversion: '1.0',
      id: secureIds.nextUuid(),
      source: `/${stream.name}`,
      type: factType,
      subject,
      time,
      datacontenttype: 'application/json',
      dataschema: dataSchemaUri(page.schema),
      correlationid,
      causationid: correlationid,
      aggregateversion: version,
      data,
    };
    return { event, subject, envelope: () => JSON.stringify(event), fromStream: false };
  });
  return { events, cursor: page.next };
}

/** Finds those of the next copies that their owner does not have. What is copied meanwhile comes from it, so that it has that. */
async function removalStep(
  { stream, factType: type, copies, durable }: Subscription,
  { pool, bus, log }: RepairDeps,
  { cursor }: Repair,
): Promise<Step | undefined> {
  const keys = copies === undefined ? [] : await copies.keys(pool, cursor ?? '', COMPARED_KEYS_MAX);
  if (type === undefined || keys.length === 0) return { events: [], cursor: undefined };
  const existing = await requestExisting(bus, stream, { type, among: keys });
  if (existing === undefined) return undefined;
  const gone = keys.filter((key) => !existing.has(key));
  if (gone.length > 0) log.warn({ durable, keys: gone }, 'copies removed, because their owner does not have them');
  return { events: [], cursor: keys.at(-1), gone };
}

async function replayStep(
  subscription: Subscription,
  { bus }: RepairDeps,
  { cursor, untilSeq }: Repair,
): Promise<Step | undefined> {
  if (!bus.connected()) return undefined;
  const afterSeq = Number(cursor);
  const messages: readonly JsMsg[] =
    afterSeq >= untilSeq ? [] : await readAfter(bus, subscription, afterSeq, REPLAY_EVENTS_MAX);
  const due = messages.filter(({ seq }) => seq <= untilSeq);
  if (due.length === 0) return { events: [], cursor: undefined };
  const events: Delivered[] = [];
  for (const message of due) {
    const delivered = await completed(subscription, bus, message);
    if (delivered === undefined) break;
    events.push(delivered);
    // One of up to 64 MiB at a time, as in `apply-events.ts`.
    if (delivered.isLarge === true) break;
  }
  const last = due[events.length - 1];
  return last === undefined ? undefined : { events, cursor: String(last.seq) };
}

/** The event of a message, with the data that its publisher keeps if it is large. Undefined: the publisher is away. */
async function completed(subscription: Subscription, bus: Bus, message: JsMsg): Promise<Delivered | undefined> {
  const event = parseEnvelope(message.string());
  const delivered = { event, subject: message.subject, envelope: () => message.string(), fromStream: true };
  if (event === undefined || !needsData(subscription, event)) return delivered;
  try {
    const complete = await fetchEventData(bus, event);
    if (complete === undefined) return undefined;
    return { ...delivered, event: complete, envelope: () => JSON.stringify(complete), isLarge: true };
  } catch (failure) {
    return { ...delivered, failure };
  }
}

/** Thrown to roll back a step that another process has made. */
class StepTakenError extends Error {}

async function applyStep(
  subscription: Subscription,
  deps: RepairDeps,
  repair: Repair,
  step: Step & { readonly cursor: string },
): Promise<StepResult> {
  const { pool, log, repaired } = deps;
  const afterCommit = deps.beforeTransaction?.();
  try {
    const applied = await applyTogether(subscription, pool, repair, step).catch(async (error: unknown) => {
      if (isTemporary(error) || repair.kind === 'removal') throw error;
      log.warn({ err: error }, 'step of a repair failed, applying its events one by one');
      return applyOneByOne(subscription, deps, repair, step);
    });
    repaired.increment(applied);
    afterCommit?.();
    return 'advanced';
  } catch (error) {
    if (!isTemporary(error)) throw error;
    if (!(error instanceof StepTakenError)) log.warn({ err: error }, 'repair interrupted, will continue');
    return 'waiting';
  }
}

/** Applies the events of a step, and stores its progress with the last of them. Returns how many were new. */
async function applyTogether(
  subscription: Subscription,
  pool: pg.Pool,
  repair: Repair,
  { events, cursor, gone = [] }: Step & { readonly cursor: string },
): Promise<number> {
  const withSubjects = events.map((one) => ({ one, event: { subject: one.event?.subject ?? '' } }));
  const batches = (await splitByRows(withSubjects, subscription)).map((batch) => batch.map(({ one }) => one));
  let applied = 0;
  for (const batch of batches.slice(0, -1))
    applied += await transact(pool, async (tx) => applyNew(tx, subscription, batch));
  return transact(pool, async (tx) => {
    if (gone.length > 0) await subscription.copies?.remove(tx, gone);
    const count = applied + (await applyNew(tx, subscription, batches.at(-1) ?? []));
    if (!(await advanceRepair(tx, subscription.durable, repair, { cursor, applied: count })))
      throw new StepTakenError();
    return count;
  });
}

/** Not caused by an event: a lock, another service that is away, the database, or another process that was faster. */
function isTemporary(error: unknown): boolean {
  return error instanceof ConflictError || error instanceof StepTakenError || isDatabaseUnavailable(error);
}

/** Applies those that the inbox does not have. Facts are no events of the stream, so they are not marked. */
async function applyNew(
  tx: pg.PoolClient,
  { durable, apply }: Subscription,
  delivered: readonly Delivered[],
): Promise<number> {
  const ids = delivered.flatMap(({ event, fromStream }) => (fromStream && event !== undefined ? [event.id] : []));
  const unapplied = new Set(ids.length === 0 ? [] : await claimEvents(tx, durable, [...new Set(ids)]));
  const events = delivered.flatMap(({ event, fromStream, failure }) => {
    if (failure !== undefined) throw failure;
    if (event === undefined) throw new Error('not an event envelope');
    return !fromStream || unapplied.delete(event.id) ? [event] : [];
  });
  if (events.length > 0) await apply(tx, events);
  return events.length;
}

/** One event that cannot be applied becomes a dead letter, and the repair goes on. */
async function applyOneByOne(
  subscription: Subscription,
  { pool, log }: RepairDeps,
  repair: Repair,
  { events, cursor }: Step & { readonly cursor: string },
): Promise<number> {
  const { durable } = subscription;
  let applied = 0;
  const failed: { readonly one: Delivered; readonly error: string }[] = [];
  for (const one of events) {
    try {
      applied += await transact(pool, async (tx) => applyNew(tx, subscription, [one]));
    } catch (error) {
      if (isTemporary(error)) throw error;
      failed.push({ one, error: String(error) });
    }
  }
  await transact(pool, async (tx) => {
    if (!(await advanceRepair(tx, durable, repair, { cursor, applied }))) throw new StepTakenError();
    for (const { one, error } of failed) {
      const { subject, event } = one;
      const letter = { durable, eventId: event?.id ?? null, subject, envelope: one.envelope(), error, attempts: 1 };
      await writeDeadLetter(tx, letter);
      log.error({ eventId: letter.eventId, subject, error }, 'event dead-lettered by a repair');
    }
  });
  return applied;
}
