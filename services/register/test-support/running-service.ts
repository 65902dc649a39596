import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { fixedClock } from '@procurement/testing/clock';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { TEST_IDENTITY_PUBLIC_KEYS, anonymousIdentity } from '@procurement/testing/identity';
import { testServer } from '@procurement/testing/server';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { mountRoutes } from '../src/app.ts';
import { config } from '../src/config.ts';
import { makeDeps, type Deps } from '../src/deps.ts';

/** The read side of the service without a port and without a bus, for `inject`. */
export interface RunningService {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly database: TestDatabase;
  /** A GET of an anonymous reader. */
  get(url: string): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

/** `now` of the service, a moment after the last revision of the fixture. */
export const NOW = '2026-04-01T10:00:00.000000+03:00';

export async function runningService(): Promise<RunningService> {
  const database = await freshDatabase('register');
  const log = makeLog('register', 'fatal');
  const metrics = makeMetrics('register');
  const settings = config({
    DATABASE_URL: database.url,
    NATS_URL: 'nats://127.0.0.1:1',
    IDENTITY_PUBLIC_KEYS: TEST_IDENTITY_PUBLIC_KEYS,
    PUBLIC_BASE_URL: 'https://api.example.org',
  });
  const deps = makeDeps(settings, { log, clock: fixedClock(NOW), pool: database.pool });
  const app = testServer({ log, metrics, auditPool: database.pool });
  mountRoutes(app, deps);
  return {
    app,
    deps,
    database,
    get: async (url) => app.inject({ method: 'GET', url, headers: anonymousIdentity() }),
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}
