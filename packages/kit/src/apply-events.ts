import type { Envelope } from '@procurement/contracts/events/envelope';
import type { JsMsg } from '@nats-io/jetstream';
import type pg from 'pg';
import { makeBell } from './bell.ts';
import type { Bus } from './bus.ts';
import { ConflictError, isDatabaseAway, transact } from './database.ts';
import { beginLetter, bury, finishLetter } from './dead-letters.ts';
import { claim } from './inbox.ts';
import type { Logger } from './log.ts';
import { readEnvelope } from './read-envelope.ts';
import { SETTLE_HEADER } from './settle.ts';

export interface ApplierOptions {
  readonly durable: string;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  /** Pauses before an event is tried again, by the attempts so far; after the last it is put aside. */
  readonly retryMs: readonly number[];
  readonly settles: boolean;
  readonly applied: { increase(by?: number): void };
  readonly buried: { increase(by?: number): void };
  apply(tx: pg.PoolClient, events: readonly Envelope[]): Promise<void>;
  /** At the beginning of each transaction; what it gives is called after the commit. */
  began?(): () => void;
}

/** Applies what one durable was delivered, and answers the server for each message. */
export interface Applier {
  /** Received, and neither acknowledged nor given back. */
  readonly inHand: Set<JsMsg>;
  applyAll(messages: readonly JsMsg[]): Promise<void>;
  /** What is being tried is given up at its next failure, and nothing new is begun. */
  end(): void;
  /** Gives everything in hand back to the server, for whoever asks next. */
  giveBackAll(): void;
}

interface Delivered {
  readonly message: JsMsg;
  readonly event: Envelope;
}

/** Delivered more often than this without an end, an event may be what ends the process: tried alone, and buried first. */
const DELIVERIES_UNSUSPICIOUS = 3;
/** Begun this often and never finished, an event stays buried. Twice, because an operator's kill may hit once. */
const UNFINISHED_MAX = 2;
const LET_OTHERS_PASS_MS = 1_000;
const AWAY_WAIT_MS_MAX = 1_000;

/**
 * All in one transaction; when that fails each in its own, so that one bad event delays only itself. An event is blamed for
 * nothing but its own failures: while the database is away everything waits here, in order, and no attempt is counted.
 */
export function makeApplier(options: ApplierOptions): Applier {
  const { durable, pool, bus, log, retryMs } = options;
  const inHand = new Set<JsMsg>();
  const attempts = new Map<string, number>();
  const ending = makeBell();
  let ended = false;

  async function applyTogether(
    batch: readonly Delivered[],
    also?: (tx: pg.PoolClient) => Promise<void>,
  ): Promise<void> {
    const committed = options.began?.();
    await patiently(async () =>
      transact(pool, async (tx) => {
        const fresh = new Set(await claim(tx, durable, [...new Set(batch.map(({ event }) => event.id))]));
        // Deleting as it goes: of two deliveries in one batch the first counts.
        const events = batch.map(({ event }) => event).filter(({ id }) => fresh.delete(id));
        if (events.length > 0) await options.apply(tx, events);
        await also?.(tx);
      }),
    );
    for (const { message, event } of batch) {
      message.ack();
      inHand.delete(message);
      attempts.delete(event.id);
      const settleTo = message.headers?.get(SETTLE_HEADER);
      if (options.settles && settleTo !== undefined && settleTo !== '') bus.connection.publish(settleTo);
    }
    options.applied.increase(batch.length);
    committed?.();
  }

  async function applyUsual(batch: readonly Delivered[]): Promise<void> {
    if (batch.length > 1) {
      try {
        await applyTogether(batch);
        return;
      } catch {
        // Told per event, by the attempt that fails alone.
      }
    }
    for (const delivered of batch) if (!ended) await applyAlone(delivered);
  }

  async function applyAlone(delivered: Delivered): Promise<void> {
    try {
      await applyTogether([delivered]);
    } catch (error) {
      await failed(delivered, error);
    }
  }

  /** Buried before it is tried: if it ends the process, it is found buried at its next delivery, and left there. */
  async function applyCarefully(delivered: Delivered): Promise<void> {
    const { message, event } = delivered;
    const letter = { durable, eventId: event.id, subject: message.subject, envelope: message.string() };
    try {
      if ((await patiently(async () => beginLetter(pool, letter))) > UNFINISHED_MAX) {
        endWithLetter(message, 'begun and never finished', event.id);
        return;
      }
      await applyTogether([delivered], async (tx) => finishLetter(tx, durable, event.id));
    } catch (error) {
      await patiently(async () => finishLetter(pool, durable, event.id)).catch(() => undefined);
      await failed(delivered, error);
    }
  }

  async function failed({ message, event }: Delivered, error: unknown): Promise<void> {
    // Others held the lock, or we are ending while the database is away: nothing that the event has done.
    if (error instanceof ConflictError || isDatabaseAway(error)) {
      log.warn({ err: error, eventId: event.id }, 'event given back');
      giveBack(message, LET_OTHERS_PASS_MS);
      return;
    }
    const attempt = (attempts.get(event.id) ?? 0) + 1;
    attempts.set(event.id, attempt);
    if (attempt > retryMs.length) {
      await putAside(message, event.id, String(error), attempt);
      return;
    }
    log.warn({ err: error, eventId: event.id, type: event.type, attempt }, 'event not applied, will be tried again');
    giveBack(message, retryMs[attempt - 1] ?? 0);
  }

  /** Not the event's fault: waited out, however long it takes. Throws what it threw when told to end meanwhile. */
  async function patiently<T>(act: () => Promise<T>): Promise<T> {
    for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, AWAY_WAIT_MS_MAX)) {
      try {
        return await act();
      } catch (error) {
        if (ended || !isDatabaseAway(error)) throw error;
        log.warn({ err: error, waiting: inHand.size }, 'database away');
        await ending.wait(waitMs);
      }
    }
  }

  async function putAside(message: JsMsg, eventId: string | null, error: string, attempt: number): Promise<void> {
    const envelope = message.string();
    const letter = { durable, eventId, subject: message.subject, envelope, error, attempts: attempt };
    try {
      await patiently(async () => bury(pool, letter));
      endWithLetter(message, error, eventId);
    } catch (failure) {
      log.warn({ err: failure }, 'event not put aside');
      giveBack(message, LET_OTHERS_PASS_MS);
    }
  }

  function endWithLetter(message: JsMsg, error: string, eventId: string | null): void {
    // Without a reason: nats-server 2.9 does not understand one, and would deliver again.
    message.term();
    inHand.delete(message);
    options.buried.increase();
    if (eventId !== null) attempts.delete(eventId);
    log.error({ eventId, subject: message.subject, error }, 'event put aside');
  }

  function giveBack(message: JsMsg, delayMs: number): void {
    if (!bus.connection.isClosed()) message.nak(delayMs);
    inHand.delete(message);
  }

  return {
    inHand,
    async applyAll(messages) {
      const usual: Delivered[] = [];
      const suspicious: Delivered[] = [];
      for (const message of messages) {
        const event = readEnvelope(message.string());
        if (event === undefined) await putAside(message, null, 'not an envelope of ours', 1);
        else (message.info.deliveryCount > DELIVERIES_UNSUSPICIOUS ? suspicious : usual).push({ message, event });
      }
      await applyUsual(usual);
      for (const delivered of suspicious) if (!ended) await applyCarefully(delivered);
    },
    end() {
      ended = true;
      ending.ring();
    },
    giveBackAll() {
      for (const message of inHand) giveBack(message, 0);
    },
  };
}
