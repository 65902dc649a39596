import { hostname } from 'node:os';
import { PrismaPg } from '@prisma/adapter-pg';
import { routesOf } from '@procurement/contracts/api/routes';
import type { RouteContract } from '@procurement/contracts/api/route';
import { streams } from '@procurement/contracts/events/subjects';
import { openBus, type Bus } from '@procurement/kit/bus';
import { makePool } from '@procurement/kit/database';
import { secureMint, sha256Hex, type Mint } from '@procurement/kit/ids';
import type { Logger } from '@procurement/kit/log';
import type { Metrics } from '@procurement/kit/metrics';
import { makeOutbox } from '@procurement/kit/outbox';
import { startRelay, type Relay } from '@procurement/kit/relay';
import { makeSettler } from '@procurement/kit/settle';
import { monotonicMs, systemClock, unixSeconds } from '@procurement/kit/time';
import type pg from 'pg';
import type { AnswerSettings } from './answers/answer-headers.ts';
import { brokerStore, keySource, type BrokerStore } from './auth/brokers.store.ts';
import { identitySigner, type Claim } from './auth/caller.ts';
import { makeKeyRing, type KeyRing } from './auth/key-ring.ts';
import type { Config } from './config.ts';
import { PrismaClient } from './gen/client.ts';
import type { Codec } from './generations/codec.ts';
import { makeCodecs } from './generations/codecs.ts';
import { keptAnswers, type KeptAnswers } from './idempotency/kept-answers.store.ts';
import { watchPressure, type Pressure } from './limits/pressure.ts';
import { makeRateLimit, type RateLimit } from './limits/rate-limit.ts';
import { makeUpstreams, type Upstreams } from './proxy/upstreams.ts';
import { routesTable, type PublicSegment, type RoutesTable } from './routes.table.ts';

/** What serving a request needs. No database: a gateway whose database is away goes on with the keys that it knows. */
export interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly mint: Mint;
  readonly contracts: readonly RouteContract[];
  readonly table: RoutesTable;
  readonly codecs: (segment: PublicSegment) => Codec;
  readonly answers: AnswerSettings;
  readonly upstreams: Upstreams;
  readonly keys: KeyRing;
  readonly sign: (claim: Claim) => string;
  readonly rates: RateLimit;
  /** Absent where there is no database: repeats are then forwarded like any request. */
  readonly kept: KeptAnswers | undefined;
  readonly pressure: Pressure;
  /** Asked by the health endpoints. Bounded by a second; never throws. */
  checks(): Promise<Checks>;
  /** Set once the process has been asked to end. */
  readonly state: { closing: boolean };
}

/** What this process stands on. */
export interface Checks {
  readonly database: 'ok' | 'fail';
  readonly stream: 'ok' | 'fail';
  readonly outbox?: { readonly waiting: number; readonly oldestSeconds: number };
}

/** The parts of `Deps` that differ between the process and a test without database and bus. */
export interface Foundation {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly keys: KeyRing;
  checks(): Promise<Checks>;
  readonly pool?: pg.Pool;
  readonly contracts?: readonly RouteContract[];
}

/** Everything a request needs, on a given foundation. */
export function makeDeps(config: Config, foundation: Foundation): Deps {
  const { log, metrics, keys, checks, contracts = routesOf({ sandbox: config.SANDBOX_MODE }) } = foundation;
  const base = config.PUBLIC_BASE_URL.replace(/\/$/, '');
  const unlimited = config.SANDBOX_MODE;
  const pressure = watchPressure(config.PRESSURE_LAG_MS);
  metrics.gauge('broker_keys_known', 'API keys in force that this replica knows', () => keys.size);
  metrics.gauge('event_loop_lag_ms', 'Lag by which overload is judged', () => pressure.lagMs());
  return {
    config,
    log,
    metrics,
    mint: secureMint,
    contracts,
    table: routesTable(contracts),
    codecs: makeCodecs(base),
    // Equal on every replica and after every restart: a client that sees its cookie change starts over.
    answers: { base, sandbox: config.SANDBOX_MODE, serverId: sha256Hex(`server ${base}`).slice(0, 32) },
    upstreams: makeUpstreams(config),
    keys,
    sign: identitySigner(config.IDENTITY_SECRET, unixSeconds),
    rates: makeRateLimit(
      {
        readsPerSecond: config.RATE_READS_PER_SECOND ?? (unlimited ? 0 : 140),
        writesPerSecond: config.RATE_WRITES_PER_SECOND ?? (unlimited ? 0 : 20),
        uploadsMax: config.UPLOADS_MAX,
      },
      monotonicMs,
    ),
    kept: foundation.pool === undefined ? undefined : keptAnswers(foundation.pool),
    pressure,
    checks,
    state: { closing: false },
  };
}

/** Database, bus, and what is made of them. Migrations have run before. */
export interface Backing {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly relay: Relay;
  readonly keys: KeyRing;
  readonly brokers: BrokerStore;
  checks(): Promise<Checks>;
  /** Resolves when the outbox is empty; gives up after some seconds, since a serving replica will publish the rest. */
  published(): Promise<void>;
  close(): Promise<void>;
}

const UNKNOWN_KEY_MS = 5_000;

/** Opens database and bus. Neither is waited for: each is asked when it is needed. */
export async function openBacking(config: Config, log: Logger, metrics: Metrics): Promise<Backing> {
  const pool = makePool({
    url: config.DATABASE_URL,
    name: 'gateway',
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
    log,
  });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const bus = await openBus(config.NATS_URL, `gateway ${hostname()}`, log);
  const relay = startRelay({
    service: 'gateway',
    stream: streams.brokers,
    streamReplicas: config.NATS_REPLICAS,
    databaseUrl: config.DATABASE_URL,
    pool,
    bus,
    log,
    metrics,
  });
  const settler = makeSettler(bus, `gateway-${secureMint.id()}`);
  const outbox = makeOutbox({ stream: streams.brokers.name, mint: secureMint, settler, wake: relay.wake });
  return {
    pool,
    bus,
    relay,
    keys: makeKeyRing({ source: keySource(prisma), unknownMs: UNKNOWN_KEY_MS, now: monotonicMs }),
    brokers: brokerStore(pool, outbox, systemClock),
    checks: async () => {
      const stream = bus.connected() ? 'ok' : 'fail';
      const away: Checks = { database: 'fail', stream };
      const there = relay.backlog().then((outbox): Checks => ({ database: 'ok', stream, outbox }));
      return Promise.race([there.catch(() => away), late(away)]);
    },
    published: async () => {
      const giveUpAt = monotonicMs() + PUBLISH_MS_MAX;
      while ((await relay.backlog()).waiting > 0 && monotonicMs() < giveUpAt) {
        relay.wake();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    close: async () => {
      await relay.stop();
      await bus.close();
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

const CHECK_MS_MAX = 1_000;
const PUBLISH_MS_MAX = 3_000;

async function late<T>(value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(resolve, CHECK_MS_MAX, value).unref();
  });
}
