import { generateKeyPairSync } from 'node:crypto';
import type { Envelope } from '@procurement/contracts/events/envelope';
import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { openBus, type Bus } from '@procurement/kit/messaging/bus';
import { makePool } from '@procurement/kit/database/pool';
import { transact } from '@procurement/kit/database/transaction';
import type { Clock } from '@procurement/kit/runtime/clock';
import { makeLog, type Logger } from '@procurement/kit/runtime/log';
import { makeMetrics, type Metrics } from '@procurement/kit/runtime/metrics';
import { makeOutbox } from '@procurement/kit/messaging/publish/outbox';
import { makeAppliedAcks } from '@procurement/kit/messaging/applied-acks';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import { freshBus } from '@procurement/testing/bus';
import { fixedClock, type FixedClock } from '@procurement/testing/clock';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { makeEvent } from '@procurement/testing/event';
import { TEST_IDENTITY_PUBLIC_KEYS } from '@procurement/testing/identity';
import { testServer } from '@procurement/testing/server';
import { secureIds, type IdGenerator } from '@procurement/kit/runtime/ids';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { mountRoutes } from '../src/app.ts';
import { config } from '../src/config.ts';
import { makeDeps, type Deps } from '../src/deps.ts';
import { onQualificationDue } from '../src/events/on-qualification-due.ts';
import { onTenderChanged } from '../src/events/on-tender-changed.ts';
import { onTenderingEnded } from '../src/events/on-tendering-ended.ts';
import { tenderFacts } from './bidding-facts.ts';

/** One process of the service without a port; requests go by `inject`. */
export interface BidsReplica {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly pool: pg.Pool;
  readonly metrics: Metrics;
  close(): Promise<void>;
}

/** The service on its own database with a fixed clock; the test takes the place of the tenders service. */
export interface RunningBids extends BidsReplica {
  readonly database: TestDatabase;
  readonly bus: Bus;
  readonly clock: FixedClock;
  /** Replies of the tenders service to requests for facts, by tender id. */
  readonly ownerTenders: Map<string, TenderFacts>;
  /** Number of such requests. */
  ownerRequestCount(): number;
  /** Makes a tender that the tenders service replies with and this service has a copy of. */
  tender(overrides?: Partial<TenderFacts>): Promise<TenderFacts>;
  /** Delivers the event of a changed tender. */
  deliver(tender: TenderFacts): Promise<void>;
  apply(subscription: Subscription, events: readonly Envelope[]): Promise<void>;
  /** Starts another process beside the first, with its own pool and, when given, its own clock and settings. */
  replica(ownClock?: Clock, ownSettings?: Readonly<Record<string, string>>): BidsReplica;
}

export interface RunningBidsOptions {
  readonly guards?: 'open' | 'strict';
  readonly log?: Logger;
}

/** The key under which bids are encrypted. */
export const TEST_BIDS_KEY = 'k'.repeat(32);

/** The name of the log in receipts, and the key that signs them. */
export const TEST_LOG = 'procurement.example/log';
export const TEST_RECEIPT_KEY = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'der' })
  .toString('base64');

export const NOW = '2026-05-12T10:15:00.120034+03:00';
const TenderFactsRequest = z.object({ id: z.string() });

/** An event of the tenders service. */
export function tenderEvent(type: string, tenderId: string, data: object, version = 1): Envelope {
  const time = '2026-05-20T18:00:00.000000+03:00';
  const payload = { id: tenderId, version, ...data };
  return makeEvent({ source: 'tenders', type, subject: tenderId, time, version, data: payload });
}

/** The announcement that the tendering of a tender is over. */
export const tenderingEnded = (id: string): Envelope =>
  tenderEvent('tender.tendering-ended', id, { endDate: '2026-05-12T10:15:00+03:00' });

/** The announcement that nothing keeps the bids of a tender from being opened. */
export const qualificationDue = (id: string): Envelope =>
  tenderEvent('tender.qualification-due', id, { at: '2026-05-20T18:00:00+03:00' });

/** Closes the bidding of tenders. */
export async function sealTenders({ apply, deps }: RunningBids, ids: readonly string[]): Promise<void> {
  await apply(onTenderingEnded(deps), ids.map(tenderingEnded));
}

/** Opens the bids of tenders. */
export async function openTenders({ apply, deps }: RunningBids, ids: readonly string[]): Promise<void> {
  await apply(onQualificationDue(deps), ids.map(qualificationDue));
}

/** Gives a bid its link and the result of the auction, as the auction service does. */
export async function auctionBid(
  { database, deps: { auctions } }: RunningBids,
  tenderId: string,
  result: { readonly id: string; readonly participationUrl: string; readonly amount: number },
): Promise<void> {
  const { id, participationUrl, amount } = result;
  await transact(database.pool, async (tx) => {
    await auctions.applyLinks(tx, { id: tenderId, version: 1, bids: [{ id, participationUrl }] });
    const trigger = { tenderId, time: NOW, correlationId: 'x', at: NOW };
    await auctions.applyResults(tx, trigger, { id: tenderId, results: [{ id, amount, date: NOW }] });
  });
}

export async function startBids({
  guards = 'strict',
  log = makeLog('bids', 'fatal'),
}: RunningBidsOptions = {}): Promise<RunningBids> {
  const [server, database] = await Promise.all([freshBus(), freshDatabase('bids')]);
  // The service has its own user at NATS. The test takes the place of the others with a user who may do everything.
  const [bus, ownBus] = await Promise.all([
    openBus(server.url, 'test', log),
    openBus(server.urlOf('bids'), 'bids', log),
  ]);
  const clock = fixedClock(NOW);
  const ids: IdGenerator = secureIds;
  // No subscriber acknowledges here, so the wait is as short as possible.
  const appliedAcks = makeAppliedAcks(bus, 'test', 1);
  const outbox = makeOutbox({ stream: streams.bids.name, ids, appliedAcks, wake: () => undefined });
  const environment = {
    DATABASE_URL: database.url,
    NATS_URL: server.url,
    IDENTITY_PUBLIC_KEYS: TEST_IDENTITY_PUBLIC_KEYS,
    PUBLIC_BASE_URL: 'https://api.example.org',
    LEGACY_GUARDS: guards,
    BIDS_KEYS: TEST_BIDS_KEY,
    BIDS_RECEIPT_KEY: TEST_RECEIPT_KEY,
    LEDGER_ORIGIN: TEST_LOG,
  };
  const ownerTenders = new Map<string, TenderFacts>();
  let ownerRequests = 0;
  respondTo(bus, rpcSubjects.tenderFacts, log, async (payload) => {
    ownerRequests += 1;
    return ownerTenders.get(TenderFactsRequest.parse(payload).id);
  });

  function process(
    pool: pg.Pool,
    end: () => Promise<void>,
    ownClock: Clock = clock,
    ownSettings: Readonly<Record<string, string>> = {},
  ): BidsReplica {
    const metrics = makeMetrics('bids');
    const deps = makeDeps(config({ ...environment, ...ownSettings }), {
      log,
      clock: ownClock,
      ids,
      metrics,
      pool,
      bus: ownBus,
      outbox,
    });
    const app = testServer({ log, metrics, auditPool: database.pool });
    mountRoutes(app, deps);
    const close = async (): Promise<void> => {
      await app.close();
      await end();
    };
    return { app, deps, pool, metrics, close };
  }

  const apply: RunningBids['apply'] = async (subscription, events) =>
    transact(database.pool, async (tx) => subscription.apply(tx, events));
  const deliver: RunningBids['deliver'] = async (tender) =>
    apply(onTenderChanged, [tenderEvent('tender.changed', tender.id, tender, tender.version)]);
  const first = process(database.pool, async () => {
    await Promise.all([bus.close(), ownBus.close()]);
    await Promise.all([server.stop(), database.drop()]);
  });
  return {
    ...first,
    database,
    bus,
    clock,
    ownerTenders,
    ownerRequestCount: () => ownerRequests,
    async tender(overrides = {}) {
      const tender = tenderFacts({ id: ids.next(), ...overrides });
      ownerTenders.set(tender.id, tender);
      await deliver(tender);
      return tender;
    },
    deliver,
    apply,
    replica(ownClock, ownSettings) {
      const pool = makePool({ url: database.url, name: 'replica', connectionsMax: 10, log });
      return process(pool, async () => pool.end(), ownClock, ownSettings);
    },
  };
}
