import type { ServerResponse } from 'node:http';
import { PrismaPg } from '@prisma/adapter-pg';
import { routesOf } from '@procurement/contracts/api/routes';
import type { RouteContract } from '@procurement/contracts/api/route';
import type { Bus } from '@procurement/kit/messaging/bus';
import { secureIds, sha256Hex, type IdGenerator } from '@procurement/kit/runtime/ids';
import { LINKS_BASE } from '@procurement/kit/runtime/config';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import type { Relay } from '@procurement/kit/messaging/relay';
import { workerBeside } from '@procurement/kit/runtime/worker-pool';
import { monotonicMs, systemClock, unixSeconds } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import type { ResponseSettings } from './pipeline/response-headers.ts';
import { makeTextWork, type TextWork } from './pipeline/text-work.ts';
import { brokerStore, keySource, type BrokerStore, type BrokerStoreDeps } from './auth/brokers.store.ts';
import { identitySigner, type IdentityClaims } from './auth/caller.ts';
import { makeKeyRing, type KeyRing } from './auth/key-ring.ts';
import { rateLimitSettings, type Config } from './config.ts';
import { watchHealth, type HealthChecks, type HealthWatch } from './description/health-watch.ts';
import { PrismaClient } from './gen/client.ts';
import type { Codec } from './generations/codec.ts';
import { makeCodecs } from './generations/codecs-by-segment.ts';
import { idempotencyStore, type IdempotencyStore } from './idempotency/idempotency.store.ts';
import { makeByteBudget, type ByteBudget } from './limits/byte-budget.ts';
import { makeCounter, type Counter } from './limits/counter.ts';
import { makeHold, type HoldAnswer } from './limits/held-answers.ts';
import { watchPressure, type Pressure } from './limits/pressure.ts';
import { makeRateLimit, type RateLimit } from './limits/rate-limit.ts';
import { makeSharedReads, type SharedReads } from './proxy/shared-reads.ts';
import { makeUpstreams, type Upstreams } from './proxy/upstreams.ts';
import { routesTable, type PublicSegment, type RoutesTable } from './routes.table.ts';

/** What serving a request needs. Not the database: while it is unavailable the gateway serves with the keys in memory. */
export interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly ids: IdGenerator;
  readonly contracts: readonly RouteContract[];
  readonly table: RoutesTable;
  readonly codecs: (segment: PublicSegment) => Codec;
  readonly responseSettings: ResponseSettings;
  readonly upstreams: Upstreams;
  readonly sharedReads: SharedReads;
  readonly keys: KeyRing;
  readonly signIdentity: (claims: IdentityClaims) => string;
  readonly rateLimit: RateLimit;
  /** For answers to clients above their rate. */
  readonly holdAnswer: HoldAnswer;
  /** JSON bodies that are being read or forwarded. */
  readonly bodyBytes: ByteBudget;
  readonly textWork: TextWork;
  /** Answers that wait for their clients. */
  readonly answerBytes: ByteBudget;
  readonly concurrency: Concurrency;
  /** Answers that have no end of their own: closed with the server. */
  readonly openStreams: Set<ServerResponse>;
  /** Absent in tests without a database: repeated requests are then forwarded like others. */
  readonly idempotencyStore: IdempotencyStore | undefined;
  readonly pressure: Pressure;
  readonly health: HealthWatch;
  /** Set when the server closes: requests that still come are refused. */
  readonly state: { closing: boolean };
  /** True from the signal to end on. */
  isEnding: () => boolean;
}

/** What one address may do at the same time. */
export interface Concurrency {
  readonly connections: Counter;
  readonly requests: Counter;
  readonly files: Counter;
  readonly streamsOfAddress: Counter;
  readonly streamsOfBroker: Counter;
}

/** The parts of `Deps` that differ between the process and a test without database and bus. */
export interface ExternalDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly keys: KeyRing;
  /** Takes at most a second and never rejects. */
  checks(): Promise<HealthChecks>;
  /** Milliseconds of a monotonic clock, by which health becomes old; set by tests. */
  readonly healthMs?: () => number;
  readonly pool?: pg.Pool;
  readonly contracts?: readonly RouteContract[];
  readonly isEnding?: () => boolean;
}

/** Makes the dependencies of request handling. */
export function makeDeps(config: Config, external: ExternalDeps): Deps {
  const { log, metrics, keys, checks, contracts = routesOf({ sandbox: config.SANDBOX_MODE }) } = external;
  const base = config.PUBLIC_BASE_URL.replace(/\/$/, '');
  const upstreams = makeUpstreams(config);
  const pressure = watchPressure(config.PRESSURE_LAG_MS);
  metrics.gauge('broker_keys_known', 'Valid API keys in the memory of this replica', () => keys.size);
  metrics.gauge(
    'event_loop_lag_seconds',
    'Event loop lag, compared with PRESSURE_LAG_MS',
    () => pressure.lagMs() / 1_000,
  );
  const bodyBytes = makeByteBudget({
    bytesMax: config.BODY_BYTES_MAX,
    bytesPerAddressMax: config.BODY_BYTES_PER_ADDRESS_MAX,
  });
  const answerBytes = makeByteBudget({
    bytesMax: config.ANSWER_BYTES_MAX,
    bytesPerAddressMax: config.ANSWER_BYTES_PER_ADDRESS_MAX,
  });
  metrics.gauge(
    'body_bytes_kept',
    'Bytes of JSON bodies in memory, compared with BODY_BYTES_MAX',
    () => bodyBytes.bytes,
  );
  metrics.gauge(
    'answer_bytes_kept',
    'Bytes of long answers that wait for clients, compared with ANSWER_BYTES_MAX',
    () => answerBytes.bytes,
  );
  return {
    config,
    log,
    metrics,
    ids: secureIds,
    contracts,
    table: routesTable(contracts),
    codecs: makeCodecs(base),
    // Equal on every replica and after every restart: a client that sees its cookie change starts over.
    responseSettings: {
      base,
      followsRequest: base === LINKS_BASE,
      sandbox: config.SANDBOX_MODE,
      serverId: sha256Hex(`server ${base}`).slice(0, 32),
    },
    upstreams,
    sharedReads: makeSharedReads(),
    keys,
    signIdentity: identitySigner(config.IDENTITY_PRIVATE_KEY, unixSeconds),
    rateLimit: makeRateLimit(rateLimitSettings(config), monotonicMs),
    holdAnswer: makeHold(),
    bodyBytes,
    textWork: makeTextWork(workerBeside(import.meta.url)),
    answerBytes,
    concurrency: makeConcurrency(config),
    openStreams: new Set(),
    idempotencyStore: external.pool === undefined ? undefined : idempotencyStore(external.pool),
    pressure,
    health: watchHealth({ checks, upstreams: async () => upstreams.states(), nowMs: external.healthMs ?? monotonicMs }),
    state: { closing: false },
    isEnding: external.isEnding ?? (() => false),
  };
}

/** A sandbox is not limited unless a limit is set, like its rates. */
function makeConcurrency(config: Config): Concurrency {
  const limit = (set: number | undefined, usual: number): Counter =>
    makeCounter(set ?? (config.SANDBOX_MODE ? 0 : usual));
  return {
    connections: limit(config.CONNECTIONS_PER_ADDRESS_MAX, 256),
    requests: limit(config.REQUESTS_PER_ADDRESS_MAX, 128),
    files: limit(config.FILES_PER_ADDRESS_MAX, 16),
    streamsOfAddress: makeCounter(config.STREAMS_PER_ADDRESS),
    streamsOfBroker: makeCounter(config.STREAMS_PER_KEY),
  };
}

/** What the gateway reads and writes in its own database: API keys and their events. */
export interface BrokerAccess {
  readonly keys: KeyRing;
  readonly brokers: BrokerStore;
  /** Disconnects Prisma; the pool stays open. */
  disconnect(): Promise<void>;
}

const UNKNOWN_KEY_MS = 5_000;

export function brokerAccess({ pool, outbox, log, refusedKeys }: Omit<BrokerStoreDeps, 'clock'>): BrokerAccess {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    keys: makeKeyRing({ source: keySource(prisma, refusedKeys), unknownMs: UNKNOWN_KEY_MS, nowMs: monotonicMs }),
    brokers: brokerStore({ pool, outbox, clock: systemClock, log, refusedKeys }),
    disconnect: async () => prisma.$disconnect(),
  };
}

const CHECK_MS_MAX = 1_000;

/** State of database and bus for the health endpoints. Takes at most a second and never rejects. */
export async function checkHealth({ bus, relay }: { readonly bus: Bus; readonly relay: Relay }): Promise<HealthChecks> {
  const stream = bus.connected() && bus.denied().length === 0 ? 'ok' : 'fail';
  const busFault = bus.fault();
  const ofBus = { stream, ...(busFault === undefined ? {} : { busFault }) } as const;
  const failed: HealthChecks = { database: 'fail', ...ofBus };
  const healthy = relay.backlog().then((outbox): HealthChecks => ({ database: 'ok', ...ofBus, outbox }));
  return Promise.race([healthy.catch(() => failed), resolveAfterTimeout(failed)]);
}

async function resolveAfterTimeout<T>(value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(resolve, CHECK_MS_MAX, value).unref();
  });
}
