import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { openBus, type Bus } from '@procurement/kit/messaging/bus';
import { makeLog, type Logger } from '@procurement/kit/runtime/log';
import { makeMetrics, type Metrics } from '@procurement/kit/runtime/metrics';
import { makeOutbox, type Outbox } from '@procurement/kit/messaging/publish/outbox';
import { makeAppliedAcks } from '@procurement/kit/messaging/applied-acks';
import { freshBus } from '@procurement/testing/bus';
import { fixedClock, type FixedClock } from '@procurement/testing/clock';
import { freshDatabase, type SessionLimits, type TestDatabase } from '@procurement/testing/database';
import { TEST_IDENTITY_PUBLIC_KEYS } from '@procurement/testing/identity';
import { testServer } from '@procurement/testing/server';
import { playDeciders, type FreezeDeciders } from '@procurement/testing/freeze-deciders';
import { countingIds } from '@procurement/testing/ids';
import type { FastifyInstance } from 'fastify';
import { mountRoutes } from '../src/app.ts';
import { config } from '../src/config.ts';
import { makeDeps, type Deps } from '../src/deps.ts';

/** The service without a port, for `inject`: with its own database and a fixed clock. */
export interface RunningTenders {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly database: TestDatabase;
  readonly clock: FixedClock;
  readonly bus: Bus;
  readonly outbox: Outbox;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The services that freeze their decisions while a tender is cancelled. */
  readonly deciders: FreezeDeciders;
  close(): Promise<void>;
}

export const NOW = '2026-05-04T10:15:00.120034+03:00';

export async function runningTenders(limits?: SessionLimits): Promise<RunningTenders> {
  const [server, database] = await Promise.all([freshBus(), freshDatabase('tenders', limits)]);
  const log = makeLog('tenders', 'fatal');
  const bus = await openBus(server.url, 'tenders', log);
  const [clock, ids, metrics] = [fixedClock(NOW), countingIds(), makeMetrics('tenders')];
  const appliedAcks = makeAppliedAcks(bus, 'test');
  const outbox = makeOutbox({ stream: streams.tenders.name, ids, appliedAcks, wake: () => undefined });
  const settings = config({
    DATABASE_URL: database.url,
    NATS_URL: server.url,
    IDENTITY_PUBLIC_KEYS: TEST_IDENTITY_PUBLIC_KEYS,
    FEED_SECRET: 'a secret of tests',
    PUBLIC_BASE_URL: 'https://api.example.org',
    SANDBOX_MODE: 'on',
  });
  const deps = makeDeps(settings, { log, clock, ids, metrics, pool: database.pool, bus, outbox }, () => undefined);
  const app = testServer({ log, metrics, auditPool: database.pool });
  mountRoutes(app, deps);
  const { freezeBids, freezeAwards, freezeAuction, freezeDocuments } = rpcSubjects;
  const deciders = playDeciders(bus, log, [freezeBids, freezeAwards, freezeAuction, freezeDocuments]);
  return {
    app,
    deps,
    database,
    clock,
    bus,
    outbox,
    log,
    metrics,
    deciders,
    close: async () => {
      await app.close();
      await bus.close();
      await Promise.all([server.stop(), database.drop()]);
    },
  };
}
