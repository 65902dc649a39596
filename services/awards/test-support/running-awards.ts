import type { Envelope } from '@procurement/contracts/events/envelope';
import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { openBus, type Bus } from '@procurement/kit/messaging/bus';
import { secureIds, sha256Hex } from '@procurement/kit/runtime/ids';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics, type Metrics } from '@procurement/kit/runtime/metrics';
import { makeOutbox, type Outbox } from '@procurement/kit/messaging/publish/outbox';
import { makeAppliedAcks } from '@procurement/kit/messaging/applied-acks';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import { freshBus } from '@procurement/testing/bus';
import { fixedClock, type FixedClock } from '@procurement/testing/clock';
import { deliver } from '@procurement/testing/deliver';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { playDeciders, type FreezeDeciders } from '@procurement/testing/freeze-deciders';
import { makeEvent } from '@procurement/testing/event';
import { anonymousIdentity, signedIdentity, TEST_IDENTITY_PUBLIC_KEYS } from '@procurement/testing/identity';
import { testServer } from '@procurement/testing/server';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { mountRoutes } from '../src/app.ts';
import { config } from '../src/config.ts';
import { makeDeps, type Deps } from '../src/deps.ts';
import { onTenderChanged } from '../src/events/on-tender-changed.ts';
import { tenderFacts, ITEMS, PROCURING_ENTITY, type Data } from './run-command.ts';
import { unpublishedContracts } from './unpublished-contracts.ts';

/** The service without a port, with its own database and bus. The test plays the other services. */
export interface RunningAwards {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly database: TestDatabase;
  readonly bus: Bus;
  readonly outbox: Outbox;
  readonly clock: FixedClock;
  readonly metrics: Metrics;
  /** Facts that the tenders service responds with, by tender id. */
  readonly ownerTenders: Map<string, TenderFacts>;
  /** Facts of bids that the bids service has, by bid id, where they are newer than those of the local replica. */
  readonly ownerBids: Map<string, object>;
  /** Whether the tenders service responds to `ask.tenders.view`. */
  answersViews: boolean;
  /** Whether the tenders service responds to `ask.tenders.facts`, and how often it was requested. */
  answersFacts: boolean;
  factsRequests: number;
  /** The tenders service in its part of freezing complaints. */
  readonly deciders: FreezeDeciders;
  /** Adds a tender to the tenders service and to the local replica. */
  addTender(overrides?: Partial<TenderFacts>): Promise<TenderFacts>;
  /** Changes a tender at the tenders service only; the local replica stays stale. */
  changeAtOwner(tender: TenderFacts, overrides: Partial<TenderFacts>): TenderFacts;
  apply(subscription: Subscription, events: readonly Envelope[]): Promise<void>;
  /** Events of this service about a tender in order, each with `awaitsApplied`: whether a request waits for its acks. */
  publishedEvents(tenderId: string): Promise<readonly any[]>;
  close(): Promise<void>;
}

export const NOW = '2017-02-17T12:00:00.000000+02:00';
/** One microsecond after the stand-still of an award that is decided on NOW. */
export const AFTER_STAND_STILL = '2017-02-21T12:00:00.000001+02:00';
const TenderRequest = z.object({ id: z.string() });

export function event(source: string, type: string, subject: string, data: object, version = 1): Envelope {
  return makeEvent({ source, type, subject, time: NOW, version, data });
}

export async function runningAwards(env: Readonly<Record<string, string>> = {}): Promise<RunningAwards> {
  const [server, database] = await Promise.all([freshBus(), freshDatabase('awards')]);
  const log = makeLog('awards', 'fatal');
  // The service has its own user at NATS. The test takes the place of the others with a user who may do everything.
  const [bus, ownBus] = await Promise.all([
    openBus(server.url, 'test', log),
    openBus(server.urlOf('awards'), 'awards', log),
  ]);
  const [clock, metrics, ids] = [fixedClock(NOW), makeMetrics('awards'), secureIds];
  // No consumer acks here, so the wait is 1 ms.
  const appliedAcks = makeAppliedAcks(bus, 'test', 1);
  const outbox = makeOutbox({ stream: streams.awards.name, ids, appliedAcks, wake: () => undefined });
  const settings = config({
    DATABASE_URL: database.url,
    NATS_URL: server.url,
    IDENTITY_PUBLIC_KEYS: TEST_IDENTITY_PUBLIC_KEYS,
    PUBLIC_BASE_URL: 'https://api.example.org',
    ...env,
  });
  const ownerTenders = new Map<string, TenderFacts>();
  const deps = makeDeps(
    settings,
    { log, clock, ids, metrics, pool: database.pool, bus: ownBus, outbox },
    () => undefined,
  );
  const app = testServer({ log, metrics, auditPool: database.pool });
  mountRoutes(app, deps);
  const apply: RunningAwards['apply'] = async (subscription, events) => deliver(database.pool, subscription, events);
  const running: RunningAwards = {
    app,
    deps,
    database,
    bus,
    outbox,
    clock,
    metrics,
    ownerTenders,
    ownerBids: new Map(),
    answersViews: true,
    answersFacts: true,
    factsRequests: 0,
    deciders: playDeciders(bus, log, [rpcSubjects.freezeComplaints]),
    async addTender(overrides = {}) {
      const tender = tenderFacts({
        id: ids.next(),
        owner: 'broker1',
        ownerTokenHash: sha256Hex('token'),
        ...overrides,
      });
      ownerTenders.set(tender.id, tender);
      const changed = event('tenders', 'tender.changed', tender.id, tender, tender.version);
      await apply(onTenderChanged(deps), [changed]);
      return tender;
    },
    changeAtOwner(tender, overrides) {
      const changed = { ...tender, version: tender.version + 1, ...overrides };
      ownerTenders.set(tender.id, changed);
      return changed;
    },
    apply,
    async publishedEvents(tenderId) {
      const text = 'SELECT envelope, reply_to FROM kit.outbox WHERE subject = $1 ORDER BY position';
      const { rows } = await database.pool.query(text, [`awards.award-changed.${tenderId}`]);
      return rows.map((row) => ({ ...JSON.parse(row.envelope), awaitsApplied: row.reply_to !== null }));
    },
    close: async () => {
      const unpublished = await unpublishedContracts(database.pool);
      await app.close();
      await Promise.all([bus.close(), ownBus.close()]);
      await Promise.all([server.stop(), database.drop()]);
      if (unpublished.length > 0) throw new Error(`contracts were changed and not published: ${unpublished.join()}`);
    },
  };
  respondTo(bus, rpcSubjects.tenderFacts, log, async (request) => {
    running.factsRequests += 1;
    if (!running.answersFacts) throw new Error('unavailable');
    return ownerTenders.get(TenderRequest.parse(request).id);
  });
  respondTo(bus, rpcSubjects.bidFacts, log, async (request) => {
    const { id } = TenderRequest.parse(request);
    const text = "SELECT facts FROM kit.replica WHERE kind = 'bid' AND id = $1";
    const { rows } = await database.pool.query<{ facts: string }>(text, [id]);
    return running.ownerBids.get(id) ?? JSON.parse(rows[0]?.facts ?? 'null') ?? undefined;
  });
  respondTo(bus, rpcSubjects.tenderView, log, async (request) => {
    if (!running.answersViews) throw new Error('unavailable');
    const { id } = TenderRequest.parse(request);
    return ownerTenders.has(id)
      ? JSON.stringify({ data: { id, items: ITEMS, procuringEntity: PROCURING_ENTITY } })
      : undefined;
  });
  return running;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** One request as the gateway forwards it. */
export async function send(
  app: FastifyInstance,
  method: Method,
  url: string,
  headers: Readonly<Record<string, string>>,
  data?: Data,
) {
  if (data === undefined) return app.inject({ method, url, headers });
  const payload = JSON.stringify({ data });
  return app.inject({ method, url, headers: { ...headers, 'content-type': 'application/json' }, payload });
}

/** The owner of the test tenders. */
export const ownerHeaders = signedIdentity({ broker: 'broker1', tokenHash: sha256Hex('token') });
/** The owner of the bids that `addBid` adds. */
export const bidderHeaders = signedIdentity({ broker: 'broker2', tokenHash: sha256Hex('bid token') });
export const adminsHeaders = signedIdentity({ broker: 'admin', group: 'admins' });
export const anonymousHeaders = anonymousIdentity();

/** Headers of a broker with that token. */
export function headersWithToken(token: string, broker = 'broker2'): Readonly<Record<string, string>> {
  return signedIdentity({ broker, tokenHash: sha256Hex(token) });
}
