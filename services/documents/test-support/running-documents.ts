import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BidRegistered } from '@procurement/contracts/events/bid.events';
import type { Envelope } from '@procurement/contracts/events/envelope';
import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import type { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { openBus, type Bus } from '@procurement/kit/messaging/bus';
import { secureIds } from '@procurement/kit/runtime/ids';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { makeOutbox } from '@procurement/kit/messaging/publish/outbox';
import { makeAppliedAcks } from '@procurement/kit/messaging/applied-acks';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import { freshBus } from '@procurement/testing/bus';
import { fixedClock, type FixedClock } from '@procurement/testing/clock';
import { deliver } from '@procurement/testing/deliver';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { TEST_IDENTITY_PUBLIC_KEYS } from '@procurement/testing/identity';
import { testServer } from '@procurement/testing/server';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { mountRoutes } from '../src/app.ts';
import { config } from '../src/config.ts';
import { makeDeps, type Deps } from '../src/deps.ts';
import { respondBidDocuments } from '../src/events/respond-bid-documents.ts';
import { respondAttachBidDocuments } from '../src/events/respond-attach-bid-documents.ts';
import { onAwardChanged } from '../src/events/on-award-changed.ts';
import { onBidChanged } from '../src/events/on-bid-changed.ts';
import { onBidsOpened } from '../src/events/on-bids-opened.ts';
import { onTenderChanged } from '../src/events/on-tender-changed.ts';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import { bidFacts, tenderFacts } from './document-facts.ts';
import { buildEvent, NOW } from './events.ts';

/** The service on its own database and folder with a fixed clock; the test takes the place of the other services. */
export interface RunningDocuments {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly database: TestDatabase;
  readonly bus: Bus;
  readonly clock: FixedClock;
  readonly folder: string;
  /** Scheme, host and port at which it listens, for tests that need a socket. */
  readonly url: string;
  /** Replies of the tenders service to requests for facts, by tender id. */
  readonly ownerTenders: Map<string, TenderFacts>;
  /** Replies of the bids and awards services, by the id of the bid or tender; later deliveries replace them. */
  readonly ownerBids: Map<string, BidRegistered>;
  readonly ownerAwards: Map<string, AwardFacts>;
  /** How often the awards service was asked for the tender of a contract. */
  placeRequests(): number;
  /** Whether it answers. */
  answersPlaces: boolean;
  /** Starts another process of the service, which shares the database and the storage only. */
  restart(): FastifyInstance;
  /** Makes a tender that the tenders service replies with and this service has a copy of. */
  tender(overrides?: Partial<TenderFacts>): Promise<TenderFacts>;
  /** Makes a bid of broker2 and delivers its event. */
  bid(tenderId: string, overrides?: Partial<BidRegistered>): Promise<BidRegistered>;
  deliverTender(tender: TenderFacts): Promise<void>;
  deliverAwards(awards: AwardFacts): Promise<void>;
  deliverBidsOpened(tenderId: string): Promise<void>;
  /** Events of a tender in the outbox, in order. */
  events(tenderId: string): Promise<any[]>;
  close(): Promise<void>;
}

export interface RunningDocumentsOptions {
  readonly guards?: 'open' | 'strict';
  readonly settings?: Readonly<Record<string, string>>;
  readonly fileStorage?: FileStorage;
}

const FactsRequest = z.object({ id: z.string() });

export async function startDocuments({
  guards = 'strict',
  settings = {},
  fileStorage,
}: RunningDocumentsOptions = {}): Promise<RunningDocuments> {
  const [server, database] = await Promise.all([freshBus(), freshDatabase('documents')]);
  const folder = mkdtempSync(join(tmpdir(), 'procurement-files-'));
  const log = makeLog('documents', 'fatal');
  // The service has its own user at NATS. The test takes the place of the others with a user who may do everything.
  const [bus, ownBus] = await Promise.all([
    openBus(server.url, 'test', log),
    openBus(server.urlOf('documents'), 'documents', log),
  ]);
  const [clock, metrics, ids] = [fixedClock(NOW), makeMetrics('documents'), secureIds];
  // No subscriber acknowledges here, so the wait is as short as possible.
  const appliedAcks = makeAppliedAcks(bus, 'test', 1);
  const outbox = makeOutbox({ stream: streams.documents.name, ids, appliedAcks, wake: () => undefined });
  const read = config({
    DATABASE_URL: database.url,
    NATS_URL: server.url,
    IDENTITY_PUBLIC_KEYS: TEST_IDENTITY_PUBLIC_KEYS,
    FILE_SECRET: 'a secret of tests, of thirty-two characters',
    PUBLIC_BASE_URL: 'https://api.example.org',
    LEGACY_GUARDS: guards,
    STORAGE: `folder:${folder}`,
    ...settings,
  });
  const ownerTenders = new Map<string, TenderFacts>();
  const ownerBids = new Map<string, BidRegistered>();
  const ownerAwards = new Map<string, AwardFacts>();
  respondTo(bus, rpcSubjects.tenderFacts, log, async (question) => ownerTenders.get(FactsRequest.parse(question).id));
  respondTo(bus, rpcSubjects.bidFacts, log, async (question) => ownerBids.get(FactsRequest.parse(question).id));
  respondTo(bus, rpcSubjects.awardFacts, log, async (question) => ownerAwards.get(FactsRequest.parse(question).id));
  let placeRequests = 0;
  respondTo(bus, rpcSubjects.contractPlace, log, async (question) => {
    placeRequests += 1;
    if (!running.answersPlaces) throw new Error('unavailable');
    const { id } = FactsRequest.parse(question);
    const place = [...ownerAwards.values()].find(({ contracts }) => contracts.some((contract) => contract.id === id));
    return place === undefined ? {} : { tenderId: place.id };
  });
  const process = (): { app: FastifyInstance; deps: Deps } => {
    const deps = makeDeps(read, { log, clock, ids, metrics, pool: database.pool, bus: ownBus, outbox }, fileStorage);
    const app = testServer({ log, metrics, auditPool: database.pool });
    mountRoutes(app, deps);
    return { app, deps };
  };
  const { app, deps } = process();
  respondTo(ownBus, rpcSubjects.bidDocuments, log, respondBidDocuments(deps));
  respondTo(ownBus, rpcSubjects.attachDocuments, log, respondAttachBidDocuments(deps));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const apply = async (subscription: Subscription, event: Envelope) => deliver(database.pool, subscription, [event]);
  const deliverTender: RunningDocuments['deliverTender'] = async (tender) => {
    await apply(onTenderChanged(deps), buildEvent('tenders', 'tender.changed', tender.id, tender));
  };
  const running: RunningDocuments = {
    app,
    deps,
    database,
    bus,
    clock,
    folder,
    url,
    ownerTenders,
    ownerBids,
    ownerAwards,
    placeRequests: () => placeRequests,
    answersPlaces: true,
    restart: () => process().app,
    deliverTender,
    async tender(overrides = {}) {
      const tender = tenderFacts({ id: ids.next(), ...overrides });
      ownerTenders.set(tender.id, tender);
      await deliverTender(tender);
      return tender;
    },
    async bid(tenderId, overrides = {}) {
      const bid = bidFacts({ id: ids.next(), tenderId, ...overrides });
      ownerBids.set(bid.id, bid);
      await apply(onBidChanged(deps), buildEvent('bids', 'bid.registered', tenderId, bid));
      return bid;
    },
    async deliverAwards(awards) {
      ownerAwards.set(awards.id, awards);
      await apply(onAwardChanged, buildEvent('awards', 'award.changed', awards.id, awards));
    },
    async deliverBidsOpened(tenderId) {
      await apply(onBidsOpened(deps), buildEvent('bids', 'bid.opened', tenderId, { id: tenderId, bids: [] }));
    },
    async events(tenderId) {
      const { rows } = await database.pool.query(
        `SELECT envelope, reply_to FROM kit.outbox WHERE subject LIKE '%.' || $1 ORDER BY position`,
        [tenderId],
      );
      return rows.map((row) => ({ ...JSON.parse(row.envelope), asksForAppliedAck: row.reply_to !== null }));
    },
    async close() {
      await app.close();
      await Promise.all([bus.close(), ownBus.close()]);
      await Promise.all([server.stop(), database.drop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return running;
}
