import type { Envelope } from '@procurement/contracts/events/envelope';
import { askSubjects, streams } from '@procurement/contracts/events/subjects';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { answer } from '@procurement/kit/ask';
import { openBus, type Bus } from '@procurement/kit/bus';
import { makePool, transact } from '@procurement/kit/database';
import { makeLog, type Logger } from '@procurement/kit/log';
import { makeMetrics } from '@procurement/kit/metrics';
import { makeOutbox } from '@procurement/kit/outbox';
import { makeSettler } from '@procurement/kit/settle';
import type { Subscription } from '@procurement/kit/subscription';
import { freshBus } from '@procurement/testing/bus';
import { fixedClock, type FixedClock } from '@procurement/testing/clock';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { eventOf } from '@procurement/testing/event';
import { TEST_IDENTITY_SECRET } from '@procurement/testing/identity';
import { testServer } from '@procurement/testing/server';
import { secureMint, type Mint } from '@procurement/kit/ids';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { mountRoutes } from '../src/app.ts';
import { config } from '../src/config.ts';
import { makeDeps, type Deps } from '../src/deps.ts';
import { onTenderChanged } from '../src/events/on-tender-changed.ts';
import { facts } from './bidding-facts.ts';

/** One process of the service without a port: routes by `inject`. */
export interface BidsReplica {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** The service on a database of its own, with a clock that stands still, and tests in the place of the tenders service. */
export interface RunningBids extends BidsReplica {
  readonly database: TestDatabase;
  readonly bus: Bus;
  readonly clock: FixedClock;
  /** What the owner of tenders answers when it is asked: by id. */
  readonly owned: Map<string, TenderFacts>;
  /** How often it was asked. */
  asked(): number;
  /** A tender that both its owner and this service know. */
  tender(overrides?: Partial<TenderFacts>): Promise<TenderFacts>;
  /** What arrived by event. */
  tell(tender: TenderFacts): Promise<void>;
  apply(subscription: Subscription, events: readonly Envelope[]): Promise<void>;
  /** One more process beside the first, with a pool of its own. */
  replica(): BidsReplica;
}

export interface RunningOptions {
  readonly guards?: 'open' | 'strict';
  readonly log?: Logger;
}

export const NOW = '2026-05-12T10:15:00.120034+03:00';
const Question = z.object({ id: z.string() });

/** An event of the tenders service. */
export function tenderEvent(type: string, tenderId: string, data: object, version = 1): Envelope {
  const time = '2026-05-20T18:00:00.000000+03:00';
  const told = { id: tenderId, version, ...data };
  return eventOf({ source: 'tenders', type, subject: tenderId, time, version, data: told });
}

export async function runningBids({
  guards = 'strict',
  log = makeLog('bids', 'fatal'),
}: RunningOptions = {}): Promise<RunningBids> {
  const [server, database] = await Promise.all([freshBus(), freshDatabase('bids')]);
  const bus = await openBus(server.url, 'bids', log);
  const [clock, metrics] = [fixedClock(NOW), makeMetrics('bids')];
  const mint: Mint = secureMint;
  // Nobody follows here, so nobody answers: waiting for it would only make every write slow.
  const settler = makeSettler(bus, 'test', 1);
  const outbox = makeOutbox({ stream: streams.bids.name, mint, settler, wake: () => undefined });
  const settings = config({
    DATABASE_URL: database.url,
    NATS_URL: server.url,
    IDENTITY_SECRET: TEST_IDENTITY_SECRET,
    PUBLIC_BASE_URL: 'https://api.example.org',
    LEGACY_GUARDS: guards,
  });
  const owned = new Map<string, TenderFacts>();
  let questions = 0;
  answer(bus, askSubjects.tenderFacts, log, async (question) => {
    questions += 1;
    return owned.get(Question.parse(question).id);
  });

  function process(pool: pg.Pool, end: () => Promise<void>): BidsReplica {
    const deps = makeDeps(settings, { log, clock, mint, metrics, pool, bus, outbox });
    const app = testServer({ log, metrics });
    mountRoutes(app, deps);
    const close = async (): Promise<void> => {
      await app.close();
      await end();
    };
    return { app, deps, pool, close };
  }

  const apply: RunningBids['apply'] = async (subscription, events) =>
    transact(database.pool, async (tx) => subscription.apply(tx, events));
  const tell: RunningBids['tell'] = async (tender) =>
    apply(onTenderChanged, [tenderEvent('tender.changed', tender.id, tender, tender.version)]);
  const first = process(database.pool, async () => {
    await bus.close();
    await Promise.all([server.stop(), database.drop()]);
  });
  return {
    ...first,
    database,
    bus,
    clock,
    owned,
    asked: () => questions,
    async tender(overrides = {}) {
      const tender = facts({ id: mint.id(), ...overrides });
      owned.set(tender.id, tender);
      await tell(tender);
      return tender;
    },
    tell,
    apply,
    replica() {
      const pool = makePool({ url: database.url, name: 'replica', connectionsMax: 10, log });
      return process(pool, async () => pool.end());
    },
  };
}
