import type { Envelope } from '@procurement/contracts/events/envelope';
import type { JsMsg } from '@nats-io/jetstream';
import type pg from 'pg';
import { makeSignal } from '../../runtime/signal.ts';
import { publishIfOpen, type Bus } from '../bus.ts';
import { ConflictError, isDatabaseUnavailable, isStatementTimeout, transact } from '../../database/transaction.ts';
import { beginTrial, writeDeadLetter, endTrial } from '../dead-letters.ts';
import { PositionLostError, type AppliedPosition, type ReachedPosition } from './applied-position.ts';
import type { ActiveTraces } from '../../runtime/active-traces.ts';
import { monotonicMs } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import type { MetricCounter } from '../../runtime/metrics.ts';
import { inEventSpans, type EventSpans } from './event-spans.ts';
import { parseTraceContext } from '../../runtime/trace-context.ts';
import { fetchEventData } from './fetch-event-data.ts';
import { splitByRows } from './batches-by-rows.ts';
import { makeHeldSubjects } from './held-subjects.ts';
import { parseEnvelope } from '../parse-envelope.ts';
import { retryWhileUnavailable } from '../../database/retry-while-unavailable.ts';
import { makeRetryAfterCheck } from './retry-after-check.ts';
import { needsData, type Subscription } from './subscription.ts';
import { APPLIED_ACK_HEADER } from '../applied-acks.ts';

export interface ApplierOptions {
  readonly subscription: Subscription;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  /** Delays in milliseconds before each retry of an event; when they are used up it becomes a dead letter. */
  readonly retryMs: readonly number[];
  /** Delays in milliseconds before retries that are no attempts, because the database was too slow. */
  readonly busyRetryMs: readonly number[];
  readonly position: AppliedPosition;
  /** The position after these messages, of which there is at least one. */
  reachedBy(messages: readonly JsMsg[]): ReachedPosition;
  readonly applied: MetricCounter;
  readonly deadLettered: MetricCounter;
  readonly traces: ActiveTraces;
  /** Called before each transaction of `apply`; the function it returns is called after the commit. */
  beforeTransaction?(): () => void;
}

/** Applies the messages of one durable, and acks, naks or terminates each. */
export interface Applier {
  /** Messages received and not yet acked, naked or terminated. */
  readonly inFlight: Set<JsMsg>;
  applyAll(messages: readonly JsMsg[]): Promise<void>;
  /** Subjects with an event that waits for its data. */
  waitingForData(): number;
  /** Starts nothing new; what is being retried gives up at its next failure. Resolves when nothing is being applied. */
  stop(): Promise<void>;
  /** Naks every message in flight, so that the server redelivers it at once. */
  nakAll(): void;
}

interface Delivery {
  readonly message: JsMsg;
  readonly event: Envelope;
  /** The message has a reference, and the event has the data to which it refers. */
  readonly isCompleted?: boolean;
}

/** Deliveries after which an event is suspected of crashing the process: it is tried alone, after its dead letter is written. */
const DELIVERIES_BEFORE_SUSPECT = 3;
/** Trials without an end after which an event stays a dead letter. Two, because an operator's kill may account for one. */
const UNFINISHED_TRIALS_MAX = 2;
const CONFLICT_NAK_DELAY_MS = 1_000;
/** Pauses before data is requested again from an owner that did not respond. */
const DATA_RETRY_MS_MIN = 500;
const DATA_RETRY_MS_MAX = 5_000;
/** Delay until an event that waits for data, or for an earlier event of its subject, is tried again. */
const HELD_NAK_DELAY_MS = 200;
/** How long an event is held without another delivery: several times `DATA_RETRY_MS_MAX`. */
const HELD_MS_MAX = 30_000;

/**
 * Applies a batch in one transaction; when that fails, each event in its own, so that a bad event delays only itself. Counts only
 * failures of the event: while the database is unavailable all events wait here, in order, and no attempt is counted. Time-outs
 * of statements are not counted up to a bound. A transaction that sends no statement for too long is a failure of the event.
 *
 * An event whose data has to be requested is completed in the background, one at a time, and then applied alone. While its
 * owner does not respond it is returned to the stream, with the later events of its subject; all others go on.
 */
export function makeApplier(options: ApplierOptions): Applier {
  const { subscription, pool, bus, log, retryMs, position } = options;
  const { durable } = subscription;
  const inFlight = new Set<JsMsg>();
  const attempts = new Map<string, number>();
  const busyRetries = new Map<string, number>();
  const stopSignal = makeSignal();
  const held = makeHeldSubjects(monotonicMs, HELD_MS_MAX);
  let completing: Promise<void> | undefined;
  let ownerRetryMs = DATA_RETRY_MS_MIN;
  let ownerRetryAtMs = 0;
  let stopped = false;
  const retryWhileDatabaseUnavailable = retryWhileUnavailable({
    pool,
    stopSignal,
    isStopped: () => stopped,
    onRetry: (error) => log.warn({ err: error, waiting: inFlight.size }, 'database unavailable'),
  });

  const retryPositionLost = makeRetryAfterCheck({ position, bus, log });

  async function applyBatch(
    batch: readonly Delivery[],
    inSameTransaction?: (tx: pg.PoolClient) => Promise<void>,
  ): Promise<void> {
    const reached = options.reachedBy(batch.map(({ message }) => message));
    const events = batch.map(({ event }) => event);
    await inEventSpans(durable, events, async (spans) => {
      await retryWhileDatabaseUnavailable(async () =>
        retryPositionLost.run(async () => applyInTransaction(reached, spans, inSameTransaction)),
      );
    });
    position.committed(reached);
    for (const { message, event } of batch) {
      publishIfOpen(() => message.ack());
      inFlight.delete(message);
      removeFailures(event);
      const replyTo = message.headers?.get(APPLIED_ACK_HEADER);
      if (subscription.acksApplied !== false && replyTo !== undefined && replyTo !== '')
        publishIfOpen(() => bus.connection.publish(replyTo));
    }
    options.applied.increment(batch.length);
  }

  async function applyInTransaction(
    reached: ReachedPosition,
    spans: EventSpans,
    inSameTransaction?: (tx: pg.PoolClient) => Promise<void>,
  ): Promise<void> {
    const delivered = [...spans.keys()];
    const afterCommit = options.beforeTransaction?.();
    await transact(pool, async (tx) => {
      const unapplied = new Set(await position.claim(tx, reached, [...new Set(delivered.map(({ id }) => id))]));
      // `delete` filters duplicates too: of two deliveries in one batch the first counts.
      const events = delivered.filter(({ id }) => unapplied.delete(id));
      if (events.length > 0) await applyTraced(tx, events, spans);
      await inSameTransaction?.(tx);
    });
    afterCommit?.();
  }

  /** Follow-up events continue the trace of their cause. */
  async function applyTraced(tx: pg.PoolClient, events: readonly Envelope[], spans: EventSpans): Promise<void> {
    const active = events.flatMap((event) => {
      const context = spans.get(event)?.context;
      const key = { correlationId: event.correlationid, subject: event.subject };
      return context === undefined ? [] : [options.traces.enter(key, context)];
    });
    try {
      await subscription.apply(tx, events);
    } finally {
      for (const one of active) one.end();
    }
  }

  async function applyWithFallback(batch: readonly Delivery[]): Promise<void> {
    if (batch.length > 1) {
      try {
        await applyBatch(batch);
        return;
      } catch (error) {
        if (error instanceof PositionLostError) {
          for (const delivery of batch) await handleFailure(delivery, error);
          return;
        }
        // Reported per event, when its own attempt fails.
      }
    }
    for (const delivery of batch) if (!stopped) await applyOne(delivery);
  }

  async function splitIntoBatches(deliveries: readonly Delivery[]): Promise<readonly (readonly Delivery[])[]> {
    try {
      return await retryWhileDatabaseUnavailable(async () => splitByRows(deliveries, subscription));
    } catch (error) {
      log.warn({ err: error }, 'sizes of rows not read');
      return deliveries.map((delivery) => [delivery]);
    }
  }

  async function applyOne(delivery: Delivery): Promise<void> {
    try {
      await applyBatch([delivery]);
    } catch (error) {
      await handleFailure(delivery, error);
    }
  }

  function complete(delivery: Delivery): void {
    const pauseMs = ownerRetryAtMs - monotonicMs();
    if (completing !== undefined || pauseMs > 0 || stopped) nak(delivery.message, Math.max(pauseMs, HELD_NAK_DELAY_MS));
    else
      completing = completeAndApply(delivery).finally(() => {
        completing = undefined;
      });
  }

  async function completeAndApply({ message, event }: Delivery): Promise<void> {
    try {
      const whole = await fetchEventData(bus, event, () => stopped);
      if (whole === undefined) {
        ownerRetryAtMs = monotonicMs() + ownerRetryMs;
        log.warn({ ...logFields(event), waitMs: ownerRetryMs }, 'data of an event not available, event waits');
        nak(message, ownerRetryMs);
        ownerRetryMs = Math.min(2 * ownerRetryMs, DATA_RETRY_MS_MAX);
        return;
      }
      ownerRetryMs = DATA_RETRY_MS_MIN;
      await apply({ message, event: whole, isCompleted: true });
    } catch (error) {
      await handleFailure({ message, event }, error);
    }
    held.release(event.subject);
  }

  async function apply(delivery: Delivery): Promise<void> {
    await (isSuspect(delivery.message) ? applySuspect(delivery) : applyOne(delivery));
  }

  /** Writes the dead letter before applying, so that an event which crashes the process is recognised on redelivery. */
  async function applySuspect(delivery: Delivery): Promise<void> {
    const { message, event } = delivery;
    const deadLetterFields = { durable, eventId: event.id, subject: message.subject, envelope: message.string() };
    try {
      if (
        (await retryWhileDatabaseUnavailable(async () => beginTrial(pool, deadLetterFields))) > UNFINISHED_TRIALS_MAX
      ) {
        await retryWhileDatabaseUnavailable(async () => position.raise(options.reachedBy([message])));
        terminate(message, 'begun and never finished', event);
        return;
      }
      await applyBatch([delivery], async (tx) => endTrial(tx, durable, event.id));
    } catch (error) {
      await retryWhileDatabaseUnavailable(async () => endTrial(pool, durable, event.id)).catch(() => undefined);
      await handleFailure(delivery, error);
    }
  }

  async function handleFailure(delivery: Delivery, error: unknown): Promise<void> {
    const { message, event } = delivery;
    // A lock was not granted, or the process is stopping while the database is unavailable: not caused by the event.
    if (error instanceof ConflictError || isDatabaseUnavailable(error)) {
      if (error instanceof PositionLostError) position.wake();
      log.warn({ err: error, ...logFields(event) }, 'event returned for redelivery');
      nak(message, CONFLICT_NAK_DELAY_MS);
      return;
    }
    const busyRetry = busyRetries.get(event.id) ?? 0;
    const busyDelayMs = options.busyRetryMs[busyRetry];
    if (isStatementTimeout(error) && busyDelayMs !== undefined) {
      busyRetries.set(event.id, busyRetry + 1);
      log.warn({ err: error, ...logFields(event), busyRetry }, 'statement timed out, event will be retried');
      nak(message, busyDelayMs);
      return;
    }
    const attempt = (attempts.get(event.id) ?? 0) + 1;
    attempts.set(event.id, attempt);
    if (attempt > retryMs.length) {
      await deadLetter(delivery, String(error), attempt);
      return;
    }
    log.warn({ err: error, ...logFields(event), type: event.type, attempt }, 'event not applied, will be retried');
    nak(message, retryMs[attempt - 1] ?? 0);
  }

  function removeFailures({ id }: Envelope): void {
    attempts.delete(id);
    busyRetries.delete(id);
  }

  async function deadLetter(
    { message, event, isCompleted }: Omit<Delivery, 'event'> & { readonly event?: Envelope },
    error: string,
    attempt: number,
  ): Promise<void> {
    // With its data, so that a replay does not need the owner, which keeps it for a limited time.
    const envelope = isCompleted === true ? JSON.stringify(event) : message.string();
    const row = { durable, eventId: event?.id ?? null, subject: message.subject, envelope, error, attempts: attempt };
    try {
      await retryWhileDatabaseUnavailable(async () => writeDeadLetter(pool, row));
      await retryWhileDatabaseUnavailable(async () => position.raise(options.reachedBy([message])));
      terminate(message, error, event);
    } catch (failure) {
      log.warn({ err: failure }, 'dead letter not written');
      nak(message, CONFLICT_NAK_DELAY_MS);
    }
  }

  function terminate(message: JsMsg, error: string, event: Envelope | undefined): void {
    // No reason given: nats-server 2.9 does not understand a TERM with a reason, and would redeliver.
    publishIfOpen(() => message.term());
    inFlight.delete(message);
    options.deadLettered.increment();
    if (event !== undefined) removeFailures(event);
    log.error({ ...logFields(event), subject: message.subject, error }, 'event dead-lettered');
  }

  function nak(message: JsMsg, delayMs: number): void {
    publishIfOpen(() => message.nak(delayMs));
    inFlight.delete(message);
  }

  return {
    inFlight,
    async applyAll(messages) {
      const trusted: Delivery[] = [];
      const suspects: Delivery[] = [];
      const incomplete: Delivery[] = [];
      for (const message of messages) {
        const event = parseEnvelope(message.string());
        if (event === undefined) await deadLetter({ message }, 'not an event envelope', 1);
        else if (held.isHeld(event.subject, message.seq)) nak(message, HELD_NAK_DELAY_MS);
        else if (needsData(subscription, event)) {
          held.hold(event.subject, message.seq);
          incomplete.push({ message, event });
        } else (isSuspect(message) ? suspects : trusted).push({ message, event });
      }
      for (const batch of await splitIntoBatches(trusted)) if (!stopped) await applyWithFallback(batch);
      for (const delivery of suspects) if (!stopped) await applySuspect(delivery);
      for (const delivery of incomplete) complete(delivery);
    },
    waitingForData: () => held.count(),
    async stop() {
      stopped = true;
      stopSignal.notify();
      retryPositionLost.stop();
      await completing;
    },
    nakAll() {
      for (const message of inFlight) nak(message, 0);
    },
  };
}

function isSuspect({ info }: JsMsg): boolean {
  return info.deliveryCount > DELIVERIES_BEFORE_SUSPECT;
}

function logFields(event: Envelope | undefined): { readonly eventId: string | null; readonly traceId?: string } {
  if (event === undefined) return { eventId: null };
  const traceId = parseTraceContext(event)?.traceId;
  return { eventId: event.id, ...(traceId === undefined ? {} : { traceId }) };
}
