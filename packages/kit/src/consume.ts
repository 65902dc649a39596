import { Envelope } from '@procurement/contracts/events/envelope';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type pg from 'pg';
import { makeBell } from './bell.ts';
import { ensureConsumer, ensureStream, type Bus } from './bus.ts';
import { isDatabaseAway, transact } from './database.ts';
import { bury } from './dead-letters.ts';
import { claim, purgeInbox } from './inbox.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { SETTLE_HEADER } from './settle.ts';
import type { Subscription } from './subscription.ts';
import { monotonicMs } from './time.ts';

export interface Consumer {
  readonly durable: string;
  /** Events that wait or are being applied; null when the bus cannot be asked. */
  lag(): Promise<number | null>;
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
}

interface Delivered {
  readonly message: JsMsg;
  readonly event: Envelope;
}

const BATCH_MAX = 256;
const PURGE_EVERY_MS = 600_000;

/** Pause before an event is tried again, by the number of attempts so far, after which it is put aside. The server's own backoff is not for naks. */
const RETRY_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 30_000] as const;

/**
 * Follows one stream for one durable. Many events become one transaction, because the ordered section of a rebuilt view is
 * entered once per transaction (rulings R7); when the transaction fails each event is tried alone, so that one bad event
 * delays only itself. Acknowledged after the commit, hence delivered again when the process dies in between: the inbox makes
 * that harmless. Recovers by itself when database or bus come back.
 */
export function startConsumer(subscription: Subscription, deps: ConsumerDeps): Consumer {
  const { pool, bus, metrics } = deps;
  const { durable, stream } = subscription;
  const retryMs = deps.retryMs ?? RETRY_MS;
  const log = deps.log.child({ durable });
  const name = durable.replaceAll('-', '_');
  const applied = metrics.counter(`events_applied_total_${name}`, `Events applied by ${durable}`);
  const buried = metrics.counter(`events_buried_total_${name}`, `Events put aside by ${durable}`);
  const attempts = new Map<string, number>();
  const buffer: JsMsg[] = [];
  const bell = makeBell();
  let messages: ConsumerMessages | undefined;
  let stopped = false;
  let purgedAt = monotonicMs();

  async function receive(): Promise<void> {
    while (!stopped) {
      try {
        await ensureStream(bus, stream, deps.streamReplicas);
        await ensureConsumer(bus, subscription);
        const consumer = await bus.jetstream.consumers.get(stream.name, durable);
        messages = await consumer.consume({ max_messages: 500, idle_heartbeat: 1_000 });
        for await (const message of messages) {
          buffer.push(message);
          bell.ring();
        }
      } catch (error) {
        if (!stopped) log.warn({ err: error }, 'cannot follow');
      }
      if (!stopped) await makeBell().wait(500);
    }
  }

  async function work(): Promise<void> {
    while (!stopped) {
      if (buffer.length === 0) await bell.wait(1_000);
      const gatherMs = subscription.gatherMs ?? 0;
      if (gatherMs > 0 && buffer.length > 0 && buffer.length < BATCH_MAX) await makeBell().wait(gatherMs);
      const batch = await readable(buffer.splice(0, BATCH_MAX));
      if (batch.length > 0) await applyAll(batch);
      if (monotonicMs() - purgedAt > PURGE_EVERY_MS) {
        purgedAt = monotonicMs();
        await purgeInbox(pool).catch((error: unknown) => log.warn({ err: error }, 'inbox not purged'));
      }
    }
  }

  async function readable(taken: readonly JsMsg[]): Promise<Delivered[]> {
    const batch: Delivered[] = [];
    for (const message of taken) {
      const event = parse(message);
      if (event === undefined) await putAside(message, null, 'not an envelope of ours', 1);
      else batch.push({ message, event });
    }
    return batch;
  }

  async function applyAll(batch: readonly Delivered[]): Promise<void> {
    // Delivered this often, and never finished: it may be what ends the process. Alone it cannot take others with it.
    const suspicious = batch.filter(({ message }) => message.info.deliveryCount > retryMs.length);
    const usual = batch.filter((delivered) => !suspicious.includes(delivered));
    try {
      await inTransaction(usual);
    } catch (error) {
      if (isDatabaseAway(error)) return waitForDatabase(batch);
      for (const delivered of usual) await applyOne(delivered);
    }
    for (const delivered of suspicious) await applyOne(delivered);
  }

  async function inTransaction(batch: readonly Delivered[]): Promise<void> {
    if (batch.length === 0) return;
    await transact(pool, async (tx) => {
      const fresh = await claim(tx, durable, [...new Set(batch.map(({ event }) => event.id))]);
      const seen = new Set<string>();
      const events = batch.flatMap(({ event }) => {
        if (!fresh.has(event.id) || seen.has(event.id)) return [];
        seen.add(event.id);
        return [event];
      });
      if (events.length > 0) await subscription.apply(tx, events);
    });
    for (const { message, event } of batch) {
      message.ack();
      attempts.delete(event.id);
      const settleTo = message.headers?.get(SETTLE_HEADER);
      if (settleTo !== undefined && settleTo !== '') bus.connection.publish(settleTo);
    }
    applied.increase(batch.length);
  }

  async function applyOne(delivered: Delivered): Promise<void> {
    const { message, event } = delivered;
    try {
      await inTransaction([delivered]);
    } catch (error) {
      if (isDatabaseAway(error)) return waitForDatabase([delivered]);
      const attempt = Math.max(attempts.get(event.id) ?? 0, message.info.deliveryCount - 1) + 1;
      attempts.set(event.id, attempt);
      if (attempt > retryMs.length) {
        await putAside(message, event.id, String(error), attempt);
        return;
      }
      log.warn({ err: error, eventId: event.id, type: event.type, attempt }, 'event not applied, will be tried again');
      message.nak(retryMs[attempt - 1] ?? 30_000);
    }
  }

  /** Not the event's fault: no attempt is counted, and everything is asked for again. */
  async function waitForDatabase(batch: readonly Delivered[]): Promise<void> {
    log.warn({ waiting: batch.length }, 'database away');
    for (const { message } of batch) message.nak(500);
    await makeBell().wait(250);
  }

  async function putAside(message: JsMsg, eventId: string | null, error: string, attempt: number): Promise<void> {
    try {
      const letter = {
        durable,
        eventId,
        subject: message.subject,
        envelope: message.string(),
        error,
        attempts: attempt,
      };
      await bury(pool, letter);
      // Without a reason: nats-server 2.9 does not understand one, and would deliver again.
      message.term();
      buried.increase();
      if (eventId !== null) attempts.delete(eventId);
      log.error({ eventId, subject: message.subject, error }, 'event put aside');
    } catch (failure) {
      log.warn({ err: failure }, 'event not put aside');
      message.nak(1_000);
    }
  }

  const running = Promise.all([receive(), work()]);
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
      await messages?.close();
      bell.ring();
      await running;
    },
  };
}

function parse(message: JsMsg): Envelope | undefined {
  try {
    return Envelope.safeParse(message.json()).data;
  } catch {
    return undefined;
  }
}
