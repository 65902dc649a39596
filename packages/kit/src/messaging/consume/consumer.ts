import { JetStreamApiCodes, JetStreamApiError, type Consumer as PullConsumer, type JsMsg } from '@nats-io/jetstream';
import type pg from 'pg';
import { makeApplier } from './apply-events.ts';
import { makeSignal } from '../../runtime/signal.ts';
import { publishIfOpen, type Bus } from '../bus.ts';
import { ensureConsumer } from './ensure-consumer.ts';
import { bytesMaxOfFetch, fetchMessages, FETCH_MESSAGES_MAX, type FetchLimits } from './fetch-messages.ts';
import type { AppliedPosition, ReachedPosition } from './applied-position.ts';
import { makeProgress, type ConsumerState } from './stalled-consumer.ts';
import { purgeInbox } from './inbox.ts';
import { makeActiveTraces, type ActiveTraces } from '../../runtime/active-traces.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Subscription } from './subscription.ts';
import { monotonicMs } from '../../runtime/clock.ts';

/** A durable that is being consumed. */
export interface Consuming {
  /** Events not yet applied; null while the bus is unreachable, or does not respond within half a second. */
  lag(): Promise<number | null>;
  /** Milliseconds for which the oldest event was not applied, or the lag was not known, as of the last call of `lag`. */
  stuckMs(): number;
  /** Finishes the current batch and naks the other messages, so that the next process gets them at once. */
  stop(): Promise<void>;
}

export interface ConsumingDeps {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Delays before each retry of an event, in milliseconds. Set by tests that cannot wait as long as production. */
  readonly retryMs?: readonly number[];
  /** Delays before each retry after the time-out of a statement, which is no attempt. Set by tests too. */
  readonly busyRetryMs?: readonly number[];
  /** Shared with the outbox, so that follow-up events continue the trace of their cause. */
  readonly traces?: ActiveTraces;
  /** Called before each transaction; the function it returns is called after the commit, to wake the relay. */
  readonly beforeTransaction?: () => () => void;
}

const BATCH_MAX = 256;
/** A transaction ends with the event that exceeds this, so that large events do not make long transactions. */
const BATCH_BYTES_MAX = 4_000_000;
/** Messages in flight: one batch is applied while the next is fetched. */
const IN_FLIGHT_MAX = 512;
/** Nothing is fetched while more bytes than this are in flight. A fetch adds at most `max_payload` and its overhead. */
const IN_FLIGHT_BYTES_MAX = 8_000_000;
/** Long, because an idle consumer costs one request in that time. `stop` ends the request. */
const FETCH_EXPIRES_MS = 60_000;
const RETRY_EVERY_MS = 500;
/** A failure that repeats itself is logged once in this time. */
const SAME_FAILURE_LOG_MS = 30_000;
/** A third of the durable's ack_wait, so that a slow or unavailable database causes no redelivery of messages in flight. */
const ACK_RENEWAL_EVERY_MS = 3_000;
const PURGE_EVERY_MS = 600_000;
/** `/ready` has to answer within a second. */
const LAG_WAIT_MS = 500;

/** Delay before each retry; after the last one the event becomes a dead letter. The server's backoff does not apply to naks. */
const REDELIVERY_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 30_000] as const;

/** Delay before each retry after the time-out of a statement: about ten minutes. After that, time-outs are attempts. */
const BUSY_DELAYS_MS: readonly number[] = [1_000, 2_000, 5_000, 10_000, ...Array.from({ length: 20 }, () => 30_000)];

/**
 * Consumes one stream for one durable. Applies many events in one transaction, because a transaction takes the lock that orders
 * the feed once (rulings R7). Acks after the commit, so a crash in between causes a redelivery, which the inbox makes harmless.
 * Recovers when database or bus return.
 */
export function consume(subscription: Subscription, position: AppliedPosition, deps: ConsumingDeps): Consuming {
  const { pool, bus, metrics } = deps;
  const { durable, stream } = subscription;
  const log = deps.log.child({ durable });
  // An event counts in the stream from which it was fetched: a stream that is created anew begins with sequence 1 again.
  const streamCreatedAt = new WeakMap<JsMsg, string>();
  const applier = makeApplier({
    subscription,
    position,
    reachedBy: (messages) => reachedBy(messages, (message) => streamCreatedAt.get(message) ?? ''),
    pool,
    bus,
    log,
    retryMs: deps.retryMs ?? REDELIVERY_DELAYS_MS,
    busyRetryMs: deps.busyRetryMs ?? BUSY_DELAYS_MS,
    applied: metrics.counter('events_applied_total', 'Events applied', { durable }),
    deadLettered: metrics.counter('events_dead_lettered_total', 'Events that became dead letters', { durable }),
    traces: deps.traces ?? makeActiveTraces(),
    ...(deps.beforeTransaction === undefined ? {} : { beforeTransaction: deps.beforeTransaction }),
  });
  const { inFlight } = applier;
  const waitingHelp = 'Tenders with an event that waits for its data, which its publisher does not give';
  metrics.gauge('events_waiting_for_data', waitingHelp, () => applier.waitingForData(), { durable });
  const buffer: JsMsg[] = [];
  const messageReceived = makeSignal();
  const capacityFreed = makeSignal();
  const stopping = new AbortController();
  let ackRenewal: NodeJS.Timeout | undefined;
  let loggedFailure: { readonly reason: string; readonly atMs: number } | undefined;
  const isStopped = (): boolean => stopping.signal.aborted;

  async function receiveUntilStopped(): Promise<void> {
    while (!isStopped()) {
      try {
        if (bus.connected()) await fetchFrom(await ensureDurable());
        loggedFailure = undefined;
      } catch (error) {
        // The next round creates the durable again, in case the server lost its store. The owner creates the stream.
        if (!isStopped()) logFailure(error);
      }
      if (!isStopped()) await capacityFreed.wait(RETRY_EVERY_MS);
    }
  }

  function logFailure(error: unknown): void {
    const reason = String(error);
    const isSame = loggedFailure?.reason === reason;
    if (isSame && monotonicMs() - (loggedFailure?.atMs ?? 0) < SAME_FAILURE_LOG_MS) return;
    loggedFailure = { reason, atMs: monotonicMs() };
    // At a first start the owner may begin after its followers; readiness tells meanwhile that nothing arrives.
    if (!isSame && isStreamMissing(error)) log.info('waiting for the stream, which its owner creates');
    else log.warn({ err: error }, 'cannot receive events');
  }

  async function ensureDurable(): Promise<PullConsumer> {
    // Before anything is fetched: a batch would raise the position of a database that was restored.
    await position.check();
    await ensureConsumer(bus, subscription, position.verifiedSeq());
    return bus.jetstream.consumers.get(stream.name, durable);
  }

  /**
   * Fetches with requests that end, rather than with the library's endless `consume`: once the last has ended no message is
   * under way, so `stop` can nak all of them. (The server would wait ten seconds to redeliver a message that arrived too late.)
   */
  async function fetchFrom(consumer: PullConsumer): Promise<void> {
    while (!isStopped() && bus.connected()) {
      if (inFlight.size >= IN_FLIGHT_MAX || countBytes(inFlight) > IN_FLIGHT_BYTES_MAX) {
        await capacityFreed.wait(RETRY_EVERY_MS);
        continue;
      }
      // Of this round: a check may have found another stream since the last one.
      const createdAt = position.streamCreatedAt();
      const endings = [stopping.signal, bus.lost()];
      for await (const message of fetchMessages(consumer, fetchLimits(), endings)) {
        inFlight.add(message);
        if (!isStopped()) ackRenewal ??= setInterval(renewAcks, ACK_RENEWAL_EVERY_MS);
        streamCreatedAt.set(message, createdAt);
        buffer.push(message);
        messageReceived.notify();
      }
    }
  }

  function fetchLimits(): FetchLimits {
    const bytesMax = bytesMaxOfFetch(bus.connection.info?.max_payload ?? IN_FLIGHT_BYTES_MAX);
    return { messagesMax: FETCH_MESSAGES_MAX, bytesMax, expiresMs: FETCH_EXPIRES_MS };
  }

  /** While there are messages in flight: the timer of an idle durable would wake its process up for nothing. */
  function renewAcks(): void {
    if (bus.connected()) for (const message of inFlight) publishIfOpen(() => message.working());
    if (inFlight.size > 0) return;
    clearInterval(ackRenewal);
    ackRenewal = undefined;
  }

  async function applyUntilStopped(): Promise<void> {
    let purgedAt = monotonicMs();
    while (!isStopped()) {
      if (buffer.length === 0) await messageReceived.wait(PURGE_EVERY_MS);
      // The library hands messages over one at a time; this turn collects those that arrived with the first.
      await new Promise((resolve) => setImmediate(resolve));
      const gatherMs = subscription.gatherMs ?? 0;
      if (gatherMs > 0 && buffer.length > 0 && buffer.length < BATCH_MAX) await makeSignal().wait(gatherMs);
      const batch = buffer.splice(0, batchLength(buffer));
      if (batch.length > 0) await applier.applyAll(batch);
      capacityFreed.notify();
      if (monotonicMs() - purgedAt >= PURGE_EVERY_MS) {
        purgedAt = monotonicMs();
        await purgeInbox(pool).catch((error: unknown) => log.warn({ err: error }, 'inbox not purged'));
      }
    }
    clearInterval(ackRenewal);
  }

  /** Undefined while the server does not tell. */
  async function readState(): Promise<ConsumerState | undefined> {
    if (!bus.connected()) return undefined;
    const info = await bus.manager.consumers.info(stream.name, durable).catch(() => undefined);
    if (info === undefined) return undefined;
    return { lag: info.num_pending + info.num_ack_pending, ackFloorSeq: info.ack_floor.stream_seq };
  }

  const progress = makeProgress(monotonicMs);
  const running = Promise.all([receiveUntilStopped(), applyUntilStopped()]);
  return {
    async lag() {
      const waited = makeSignal()
        .wait(LAG_WAIT_MS)
        .then(() => undefined);
      const state = await Promise.race([readState(), waited]);
      progress.observe(state);
      return state?.lag ?? null;
    },
    stuckMs: () => progress.stuckMs(),
    async stop() {
      stopping.abort();
      const applierStopped = applier.stop();
      messageReceived.notify();
      capacityFreed.notify();
      await Promise.all([running, applierStopped]);
      applier.nakAll();
    },
  };
}

function isStreamMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

/** The largest sequence among the messages of the stream from which the last one came. */
function reachedBy(messages: readonly JsMsg[], createdAtOf: (message: JsMsg) => string): ReachedPosition {
  const last = messages.at(-1);
  const streamCreatedAt = last === undefined ? '' : createdAtOf(last);
  const sequences = messages.filter((message) => createdAtOf(message) === streamCreatedAt).map(({ seq }) => seq);
  return { streamCreatedAt, seq: Math.max(0, ...sequences) };
}

function countBytes(messages: Iterable<JsMsg>): number {
  let bytes = 0;
  for (const message of messages) bytes += message.data.length;
  return bytes;
}

/** Number of messages in the next batch, which is at least one when there are any. */
function batchLength(messages: readonly JsMsg[]): number {
  let bytes = 0;
  const end = messages.findIndex((message, n) => {
    if (n === BATCH_MAX || bytes >= BATCH_BYTES_MAX) return true;
    bytes += message.data.length;
    return false;
  });
  return end < 0 ? messages.length : end;
}
