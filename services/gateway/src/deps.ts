import type { ServerResponse } from 'node:http';
import { selectRoutes } from '@procurement/contracts/api/routes';
import type { RouteContract } from '@procurement/contracts/api/route';
import type { Bus } from '@procurement/kit/messaging/bus';
import { IDENTITY_HEADER } from '@procurement/kit/http/identity';
import { READS_PATH } from '@procurement/kit/http/read-frames';
import { secureIds } from '@procurement/kit/runtime/ids';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import type { Relay } from '@procurement/kit/messaging/publish/relay';
import { workerBeside } from '@procurement/kit/runtime/worker-pool';
import { monotonicMs, systemClock, unixSeconds } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { makeResponseSettings } from './answer/response-headers.ts';
import { makeTextWork } from './answer/text-work.ts';
import { brokerStore, keySource, type BrokerStore, type BrokerStoreDeps } from './auth/brokers.store.ts';
import { identitySigner, type IdentityClaims } from './auth/caller.ts';
import { makeKeyRing, type KeyRing } from './auth/key-ring.ts';
import type { Config } from './config.ts';
import { makeLimits } from './limits/limits.ts';
import { watchHealth, type HealthChecks } from './description/health-watch.ts';
import { makeCodecs } from './generations/codecs-by-segment.ts';
import { idempotencyStore } from './idempotency/idempotency.store.ts';
import { makeReadTogether } from './proxy/read-together.ts';
import { makeUpstreams } from './proxy/upstreams.ts';
import { routesTable } from './request/routes.table.ts';

/** What one process serves requests with. */
export type Deps = ReturnType<typeof makeDeps>;

/** The parts of the dependencies that differ between the process and a test without database and bus. */
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
  readonly isServing?: () => boolean;
}

/** The identity of a request with reads, each of which has its own. */
const READS_CLAIMS: IdentityClaims = {
  service: 'tenders',
  method: 'POST',
  path: READS_PATH,
  caller: { kind: 'anonymous', credentials: 'missing' },
  write: false,
  segment: '2.5',
};

/** Makes the dependencies of request handling. */
export function makeDeps(config: Config, external: ExternalDeps) {
  const { log, metrics, keys, checks, contracts = selectRoutes({ sandbox: config.SANDBOX_MODE }) } = external;
  const responseSettings = makeResponseSettings(config);
  const upstreams = makeUpstreams(config);
  const signIdentity = identitySigner(config.IDENTITY_PRIVATE_KEY, unixSeconds);
  metrics.gauge('broker_keys_known', 'Valid API keys in the memory of this replica', () => keys.size);
  return {
    config,
    log,
    metrics,
    ids: secureIds,
    contracts,
    table: routesTable(contracts),
    codecs: makeCodecs(responseSettings.base),
    responseSettings,
    upstreams,
    readTogether: makeReadTogether({
      pool: upstreams.pool('tenders'),
      headers: () => ({
        [IDENTITY_HEADER]: signIdentity(READS_CLAIMS),
        'content-type': 'application/json',
      }),
    }),
    keys,
    signIdentity,
    ...makeLimits(config, metrics),
    textWork: makeTextWork(workerBeside(import.meta.url)),
    openStreams: new Set<ServerResponse>(),
    idempotencyStore: external.pool === undefined ? undefined : idempotencyStore(external.pool),
    health: watchHealth({ checks, upstreams: async () => upstreams.states(), nowMs: external.healthMs ?? monotonicMs }),
    state: { closing: false },
    isServing: external.isServing ?? (() => true),
  };
}

/** What the gateway reads and writes in its own database: API keys and their events. */
export interface BrokerAccess {
  readonly keys: KeyRing;
  readonly brokers: BrokerStore;
}

const UNKNOWN_KEY_MS = 5_000;

export function brokerAccess({ pool, outbox, log, refusedKeys }: Omit<BrokerStoreDeps, 'clock'>): BrokerAccess {
  return {
    keys: makeKeyRing({ source: keySource(pool, refusedKeys), unknownMs: UNKNOWN_KEY_MS, nowMs: monotonicMs }),
    brokers: brokerStore({ pool, outbox, clock: systemClock, log, refusedKeys }),
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
