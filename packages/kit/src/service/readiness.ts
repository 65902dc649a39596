import { countDeadLetters } from '../messaging/dead-letters.ts';
import type { Consumer } from '../messaging/repair/start-consumer.ts';
import type { Readiness } from '../http/server.ts';
import type { Infrastructure } from './infrastructure.ts';
import { readAtMostEvery } from '../runtime/read-at-most-every.ts';
import {
  busDetails,
  outboxDetails,
  STUCK_SECONDS,
  type ReadDetails,
  type ReadyDetail,
} from '../runtime/ready-detail.ts';

/** Frequent probes must not become load. */
const AGE_MS_MAX = 500;

/** What the readiness of a service is read from. */
export interface ReadinessSources {
  readonly infrastructure: Pick<Infrastructure, 'pool' | 'bus' | 'relay'>;
  readonly consumers: readonly Consumer[];
  readonly details: readonly ReadDetails[];
  /** Why the service cannot serve although its database answers; undefined when it can. */
  readonly unready?: (() => Promise<string | undefined>) | undefined;
  /** True from when the process listens to the signal to end. */
  isServing(): boolean;
}

/** Answers the body of `/ready`, and reads it at most twice a second. */
export function makeReadinessReader(sources: ReadinessSources): () => Promise<Readiness> {
  const read = readAtMostEvery(AGE_MS_MAX, async () => readReadiness(sources));
  // A process that ends is not ready at once: balancers send it no new connections.
  return async () => {
    const state = await read();
    return sources.isServing() ? state : { ...state, ready: false };
  };
}

/**
 * A process is ready when it can serve requests, which needs the database. While the bus is unavailable writes still succeed
 * and their events wait in the outbox, so the bus shows in `checks` and `lag` only.
 */
async function readReadiness(sources: ReadinessSources): Promise<Readiness> {
  const { infrastructure, consumers, details: readDetails, unready: readUnready } = sources;
  const { pool, bus, relay } = infrastructure;
  const lags = Promise.all(consumers.map(async (consumer) => [consumer.durable, await consumer.lag()] as const));
  const lists = Promise.all(readDetails.map(async (read) => read()));
  const database = Promise.all([relay.backlog(), countDeadLetters(pool), lists, readUnready?.()]).then(
    ([outbox, byDurable, details, unready]) => ({
      ...(unready === undefined ? {} : { unready }),
      outbox,
      deadLetters: Object.values(byDurable).reduce((sum, count) => sum + count, 0),
      deadLettersByDurable: byDurable,
      details: [...details.flat(), ...deadLetterDetails(byDurable), ...outboxDetails(outbox)],
    }),
    () => undefined,
  );
  const state = await database;
  // Before `stuckDetails`, which reads what it has found.
  const lag = Object.fromEntries(await lags);
  const [denied, fault] = [bus.denied(), bus.fault()];
  return {
    ready: state !== undefined && state.unready === undefined,
    checks: {
      database: state === undefined ? 'fail' : 'ok',
      bus: bus.connected() && denied.length === 0 ? 'ok' : 'fail',
    },
    ...(fault === undefined ? {} : { busFault: fault.text }),
    ...(denied.length === 0 ? {} : { denied }),
    lag,
    ...state,
    details: [
      ...(state?.details ?? []),
      ...busDetails(fault),
      ...consumers.flatMap(repairDetails),
      ...consumers.flatMap(stuckDetails),
    ],
  };
}

function stuckDetails(consumer: Consumer): readonly ReadyDetail[] {
  const oldestSeconds = Math.round(consumer.stuckMs() / 1_000);
  return oldestSeconds < STUCK_SECONDS
    ? []
    : [{ kind: 'consumer', name: consumer.durable, count: 1, oldestSeconds, text: 'an event has been waiting' }];
}

function repairDetails(consumer: Consumer): readonly ReadyDetail[] {
  const repair = consumer.repair();
  if (repair === undefined) return [];
  const text = `${repair.kind}: ${repair.reason}; since ${repair.requestedAt}, ${repair.applied} applied`;
  return [{ kind: 'repair', name: consumer.durable, count: 1, text }];
}

function deadLetterDetails(byDurable: Readonly<Record<string, number>>): readonly ReadyDetail[] {
  return Object.entries(byDurable).map(([name, count]) => ({ kind: 'dead-letters', name, count }));
}
