import type { Consumer as PullConsumer, JsMsg } from '@nats-io/jetstream';
import type pg from 'pg';
import { makeApplier } from './apply-events.ts';
import { makeSignal } from '../runtime/signal.ts';
import { ensureConsumer, ensureStream, type Bus } from './bus.ts';
import { purgeInbox } from './inbox.ts';
import type { Logger } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Subscription } from './subscription.ts';
import { monotonicMs } from '../runtime/clock.ts';

export interface Consumer {
  readonly durable: string;
  /** Events that wait or are being applied; null when the bus cannot be asked. */
  lag(): Promise<number | null>;
  /** Finishes what is being applied and gives back what waits, so that the next process has it at once. Takes up to a second. */
  stop(): Promise<void>;
}

export interface ConsumerDeps {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly streamReplicas: number;
  /** Pauses before an event is tried again, by the attempts so far; for tests that cannot wait as long as production. */
  readonly retryMs?: readonly number[];
  /** At the beginning of each transaction; what it gives is called after the commit: there may be events to publish. */
  readonly beforeTransaction?: () => () => void;
}

const BATCH_MAX = 256;
/** One batch is applied while the next arrives. */
const IN_FLIGHT_MAX = 512;
/** The shortest that the library takes, because stopping waits for it. */
const FETCH_EXPIRES_MS = 1_000;
const RETRY_EVERY_MS = 500;
/** A third of the durable's ack_wait: what is in hand is not delivered again while the database is away or slow. */
const ACK_RENEWAL_EVERY_MS = 3_000;
const PURGE_EVERY_MS = 600_000;

/** Pause before an event is tried again, by the number of attempts so far, after which it is put aside. The server's own backoff is not for naks. */
const REDELIVERY_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 30_000] as const;

/**
 * Follows one stream for one durable. Many events become one transaction, because the ordered section of a rebuilt view is
 * entered once per transaction (rulings R7). Acknowledged after the commit, hence delivered again when the process dies in
 * between: the inbox makes that harmless. Recovers by itself when database or bus come back.
 */
export function startConsumer(subscription: Subscription, deps: ConsumerDeps): Consumer {
  const { pool, bus, metrics } = deps;
  const { durable, stream } = subscription;
  const log = deps.log.child({ durable });
  const metricName = durable.replaceAll('-', '_');
  const applier = makeApplier({
    durable,
    pool,
    bus,
    log,
    retryMs: deps.retryMs ?? REDELIVERY_DELAYS_MS,
    acksApplied: subscription.acksApplied !== false,
    applied: metrics.counter(`events_applied_total_${metricName}`, `Events applied by ${durable}`),
    deadLettered: metrics.counter(`events_buried_total_${metricName}`, `Events put aside by ${durable}`),
    apply: async (tx, events) => subscription.apply(tx, events),
    ...(deps.beforeTransaction === undefined ? {} : { beforeTransaction: deps.beforeTransaction }),
  });
  const { inFlight } = applier;
  const buffer: JsMsg[] = [];
  const messageReceived = makeSignal();
  const capacityFreed = makeSignal();
  let stopped = false;

  async function receiveUntilStopped(): Promise<void> {
    while (!stopped) {
      try {
        if (bus.connected()) await fetchFrom(await ensureDurable());
      } catch (error) {
        // A server that lost its store is given stream and durable anew, in the next round.
        if (!stopped) log.warn({ err: error }, 'cannot follow');
      }
      if (!stopped) await capacityFreed.wait(RETRY_EVERY_MS);
    }
  }

  async function ensureDurable(): Promise<PullConsumer> {
    await ensureStream(bus, stream, deps.streamReplicas);
    await ensureConsumer(bus, subscription);
    return bus.jetstream.consumers.get(stream.name, durable);
  }

  /**
   * Requests that end by themselves, rather than the library's endless one: when the last has ended nothing is on its way,
   * so that stopping loses sight of no event. (The server would wait ten seconds for each that it sent to nobody.)
   */
  async function fetchFrom(consumer: PullConsumer): Promise<void> {
    while (!stopped && bus.connected()) {
      if (inFlight.size >= IN_FLIGHT_MAX) {
        await capacityFreed.wait(RETRY_EVERY_MS);
        continue;
      }
      for await (const message of await consumer.fetch({ max_messages: BATCH_MAX, expires: FETCH_EXPIRES_MS })) {
        inFlight.add(message);
        buffer.push(message);
        messageReceived.notify();
      }
    }
  }

  async function applyUntilStopped(): Promise<void> {
    const ackRenewal = setInterval(() => {
      if (bus.connected()) for (const message of inFlight) message.working();
    }, ACK_RENEWAL_EVERY_MS);
    let purgedAt = monotonicMs();
    while (!stopped) {
      if (buffer.length === 0) await messageReceived.wait(1_000);
      // What arrived with the first is handed over one by one: all of it shall be one transaction.
      await new Promise((resolve) => setImmediate(resolve));
      const gatherMs = subscription.gatherMs ?? 0;
      if (gatherMs > 0 && buffer.length > 0 && buffer.length < BATCH_MAX) await makeSignal().wait(gatherMs);
      const batch = buffer.splice(0, BATCH_MAX);
      if (batch.length > 0) await applier.applyAll(batch);
      capacityFreed.notify();
      if (monotonicMs() - purgedAt > PURGE_EVERY_MS) {
        purgedAt = monotonicMs();
        await purgeInbox(pool).catch((error: unknown) => log.warn({ err: error }, 'inbox not purged'));
      }
    }
    clearInterval(ackRenewal);
  }

  const running = Promise.all([receiveUntilStopped(), applyUntilStopped()]);
  return {
    durable,
    async lag() {
      if (!bus.connected()) return null;
      try {
        const info = await bus.manager.consumers.info(stream.name, durable);
        return info.num_pending + info.num_ack_pending;
      } catch {
        return null;
      }
    },
    async stop() {
      stopped = true;
      applier.stop();
      messageReceived.notify();
      capacityFreed.notify();
      await running;
      applier.nakAll();
    },
  };
}
