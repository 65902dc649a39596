import { CLIENT_HEADER } from '@procurement/kit/http/client';
import { openBus, type Bus } from '@procurement/kit/messaging/bus';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics, type Metrics } from '@procurement/kit/runtime/metrics';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { fixedClock, type FixedClock } from '@procurement/testing/clock';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { TEST_IDENTITY_PUBLIC_KEYS, anonymousIdentity } from '@procurement/testing/identity';
import { countingIds } from '@procurement/testing/ids';
import { testServer } from '@procurement/testing/server';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { mountRoutes } from '../src/app.ts';
import { config } from '../src/config.ts';
import { makeDeps, type Deps } from '../src/deps.ts';

/** The read side of the service without a port, for `inject`. */
export interface RunningService {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly database: TestDatabase;
  /** The service is its own user there, with its permissions. */
  readonly busServer: TestBus;
  readonly bus: Bus;
  readonly metrics: Metrics;
  readonly clock: FixedClock;
  /** A GET of an anonymous reader. `client`: whom the gateway names. */
  get(url: string, client?: string): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

/** `now` of the service, a moment after the last revision of the fixture. */
export const NOW = '2026-04-01T10:00:00.000000+03:00';

/** `env`: settings beside those that tests share. `shared`: of another replica, which ends them, and the time. */
export async function runningService(
  env: Readonly<Record<string, string>> = {},
  shared?: Pick<RunningService, 'busServer' | 'database'> & { readonly now: string },
): Promise<RunningService> {
  const busServer = shared?.busServer ?? (await freshBus());
  const database = shared?.database ?? (await freshDatabase('register'));
  const log = makeLog('register', 'fatal');
  const bus = await openBus(busServer.urlOf('register'), 'register', log);
  const metrics = makeMetrics('register');
  const settings = config({
    DATABASE_URL: database.url,
    NATS_URL: busServer.urlOf('register'),
    IDENTITY_PUBLIC_KEYS: TEST_IDENTITY_PUBLIC_KEYS,
    REGISTER_KEYS: 'k'.repeat(32),
    PUBLIC_BASE_URL: 'https://api.example.org',
    ...env,
  });
  const clock = fixedClock(shared?.now ?? NOW);
  const deps = makeDeps(settings, {
    log,
    clock,
    ids: countingIds(),
    metrics,
    pool: database.pool,
    bus,
  });
  const app = testServer({ log, metrics, auditPool: database.pool });
  mountRoutes(app, deps);
  return {
    app,
    deps,
    database,
    busServer,
    bus,
    metrics,
    clock,
    get: async (url, client) =>
      app.inject({
        method: 'GET',
        url,
        headers: { ...anonymousIdentity(), ...(client === undefined ? {} : { [CLIENT_HEADER]: client }) },
      }),
    close: async () => {
      await app.close();
      await bus.close();
      if (shared === undefined) await Promise.all([busServer.stop(), database.drop()]);
    },
  };
}
