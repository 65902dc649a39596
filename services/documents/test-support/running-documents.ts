import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BidRegistered } from '@procurement/contracts/events/bid.events';
import type { Envelope } from '@procurement/contracts/events/envelope';
import { askSubjects, streams } from '@procurement/contracts/events/subjects';
import type { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { answer } from '@procurement/kit/ask';
import { openBus, type Bus } from '@procurement/kit/bus';
import { transact } from '@procurement/kit/database';
import { secureMint } from '@procurement/kit/ids';
import { makeLog } from '@procurement/kit/log';
import { makeMetrics } from '@procurement/kit/metrics';
import { makeOutbox } from '@procurement/kit/outbox';
import { makeSettler } from '@procurement/kit/settle';
import type { Subscription } from '@procurement/kit/subscription';
import { freshBus } from '@procurement/testing/bus';
import { fixedClock, type FixedClock } from '@procurement/testing/clock';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { TEST_IDENTITY_SECRET } from '@procurement/testing/identity';
import { testServer } from '@procurement/testing/server';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { mountRoutes } from '../src/app.ts';
import { config } from '../src/config.ts';
import { makeDeps, type Deps } from '../src/deps.ts';
import { bidDocumentsOf } from '../src/events/answer-bid-documents.ts';
import { attachBidDocuments } from '../src/events/attach-bid-documents.ts';
import { onAwardChanged } from '../src/events/on-award-changed.ts';
import { onBidChanged } from '../src/events/on-bid-changed.ts';
import { onBidsOpened } from '../src/events/on-bids-opened.ts';
import { onTenderChanged } from '../src/events/on-tender-changed.ts';
import type { FileStore } from '../src/files/file-store.ts';
import { bidFacts, facts } from './document-facts.ts';
import { eventOf, NOW } from './events.ts';

/** The service on a database and a folder of its own, with a clock that stands still, and tests in the place of its siblings. */
export interface RunningDocuments {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly database: TestDatabase;
  readonly bus: Bus;
  readonly clock: FixedClock;
  readonly folder: string;
  /** Scheme, host and port at which it listens, for what `inject` cannot do. */
  readonly url: string;
  /** What the owner of tenders answers when it is asked: by id. */
  readonly owned: Map<string, TenderFacts>;
  /** The service as it is after a restart, or beside the first: nothing but database and store in common. */
  again(): FastifyInstance;
  /** A tender that both its owner and this service know. */
  tender(overrides?: Partial<TenderFacts>): Promise<TenderFacts>;
  /** A bid of broker2 on it, and what is told of it. */
  bid(tenderId: string, overrides?: Partial<BidRegistered>): Promise<BidRegistered>;
  tellTender(tender: TenderFacts): Promise<void>;
  tellAwards(awards: AwardFacts): Promise<void>;
  tellOpened(tenderId: string): Promise<void>;
  /** Events of a tender in the outbox, in order. */
  events(tenderId: string): Promise<any[]>;
  close(): Promise<void>;
}

export interface RunningOptions {
  readonly guards?: 'open' | 'strict';
  readonly settings?: Readonly<Record<string, string>>;
  readonly store?: FileStore;
}

const Question = z.object({ id: z.string() });

export async function runningDocuments({
  guards = 'strict',
  settings = {},
  store,
}: RunningOptions = {}): Promise<RunningDocuments> {
  const [server, database] = await Promise.all([freshBus(), freshDatabase('documents')]);
  const folder = mkdtempSync(join(tmpdir(), 'procurement-files-'));
  const log = makeLog('documents', 'fatal');
  const bus = await openBus(server.url, 'documents', log);
  const [clock, metrics, mint] = [fixedClock(NOW), makeMetrics('documents'), secureMint];
  // Nobody follows here, so nobody answers: waiting for it would only make every write slow.
  const settler = makeSettler(bus, 'test', 1);
  const outbox = makeOutbox({ stream: streams.documents.name, mint, settler, wake: () => undefined });
  const read = config({
    DATABASE_URL: database.url,
    NATS_URL: server.url,
    IDENTITY_SECRET: TEST_IDENTITY_SECRET,
    PUBLIC_BASE_URL: 'https://api.example.org',
    LEGACY_GUARDS: guards,
    STORAGE: `folder:${folder}`,
    ...settings,
  });
  const owned = new Map<string, TenderFacts>();
  answer(bus, askSubjects.tenderFacts, log, async (question) => owned.get(Question.parse(question).id));
  const process = (): { app: FastifyInstance; deps: Deps } => {
    const deps = makeDeps(read, { log, clock, mint, metrics, pool: database.pool, bus, outbox }, store);
    const app = testServer({ log, metrics });
    mountRoutes(app, deps);
    return { app, deps };
  };
  const { app, deps } = process();
  answer(bus, askSubjects.bidDocuments, log, bidDocumentsOf(deps));
  answer(bus, askSubjects.attachDocuments, log, attachBidDocuments(deps));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const apply = async (subscription: Subscription, event: Envelope): Promise<void> =>
    transact(database.pool, async (tx) => subscription.apply(tx, [event]));
  const tellTender: RunningDocuments['tellTender'] = async (tender) =>
    apply(onTenderChanged, eventOf('tenders', 'tender.changed', tender.id, tender));
  return {
    app,
    deps,
    database,
    bus,
    clock,
    folder,
    url,
    owned,
    again: () => process().app,
    tellTender,
    async tender(overrides = {}) {
      const tender = facts({ id: mint.id(), ...overrides });
      owned.set(tender.id, tender);
      await tellTender(tender);
      return tender;
    },
    async bid(tenderId, overrides = {}) {
      const bid = bidFacts({ id: mint.id(), tenderId, ...overrides });
      await apply(onBidChanged, eventOf('bids', 'bid.registered', tenderId, bid));
      return bid;
    },
    tellAwards: async (awards) => apply(onAwardChanged, eventOf('awards', 'award.changed', awards.id, awards)),
    tellOpened: async (tenderId) =>
      apply(onBidsOpened(deps), eventOf('bids', 'bid.opened', tenderId, { id: tenderId, bids: [] })),
    async events(tenderId) {
      const { rows } = await database.pool.query(
        `SELECT envelope, reply_to FROM outbox WHERE subject LIKE '%.' || $1 ORDER BY position`,
        [tenderId],
      );
      return rows.map((row) => ({ ...JSON.parse(row.envelope), asksToBeSettled: row.reply_to !== null }));
    },
    async close() {
      await app.close();
      await bus.close();
      await Promise.all([server.stop(), database.drop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
