import { Envelope } from '@procurement/contracts/events/envelope';
import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { toJsonText } from '@procurement/domain/json-text';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { openBus, type Bus } from '@procurement/kit/messaging/bus';
import { transact } from '@procurement/kit/database/transaction';
import { secureIds } from '@procurement/kit/runtime/ids';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { makeOutbox } from '@procurement/kit/messaging/publish/outbox';
import { makeAppliedAcks } from '@procurement/kit/messaging/applied-acks';
import { freshBus } from '@procurement/testing/bus';
import { fixedClock, type FixedClock } from '@procurement/testing/clock';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { makeEvent } from '@procurement/testing/event';
import { signedIdentity, TEST_IDENTITY_PUBLIC_KEYS } from '@procurement/testing/identity';
import { testServer } from '@procurement/testing/server';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { mountRoutes } from '../src/app.ts';
import { config } from '../src/config.ts';
import { makeDeps, type Deps } from '../src/deps.ts';
import type { OfferedBid } from '../src/domain/hand-off.ts';
import { respondAuctionResults, respondAuctionUrls } from '../src/events/respond-auctions.ts';
import { onTenderChanged } from '../src/events/on-tender-changed.ts';
import { tenderInAuction, BIDS, REPORTED_AT, type JsonObject } from './hand-off-facts.ts';

/** A tender and its bids in the other services; tests change it in place. */
export interface TenderFixture {
  facts: TenderFacts;
  bids: readonly OfferedBid[];
  /** Members of the tender's view once results of these lots are published. */
  viewAfterResults: (lots: readonly (string | undefined)[]) => JsonObject;
  /** Number of views before the tender shows results or addresses. */
  viewsBeforeShown: number;
  /** The service that fails to respond. */
  unavailable?: 'tenders' | 'bids' | 'facts';
  /** The bids service responds after it. */
  bidsDelayed?: Promise<void>;
}

/** The service without a port, with its own database and bus. The test plays tenders and bids. */
export interface RunningHandOff {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly bus: Bus;
  readonly database: TestDatabase;
  readonly clock: FixedClock;
  /** Adds a tender to the other services. */
  tender(partial?: Partial<TenderFacts>, bids?: readonly OfferedBid[]): TenderFixture;
  /** Applies a `tender.changed` event. */
  deliver(facts: TenderFacts): Promise<void>;
  /** Events of this service about a tender, with their types. */
  publishedEvents(tenderId: string): Promise<readonly (JsonObject & { readonly type: string })[]>;
  close(): Promise<void>;
}

export type Env = Readonly<Record<string, string>>;

const TenderRequest = z.object({ id: z.string() });
const Finished = z.object({ lot: z.string().optional() });
const Published = z.object({ lot: z.string().optional(), auctionUrl: z.string().optional() });

export async function startHandOff(env: Env = {}): Promise<RunningHandOff> {
  const [server, database] = await Promise.all([freshBus(), freshDatabase('auction')]);
  const log = makeLog('auction', 'fatal');
  // The service has its own user at NATS. The test takes the place of the others with a user who may do everything.
  const [bus, ownBus] = await Promise.all([
    openBus(server.url, 'test', log),
    openBus(server.urlOf('auction'), 'auction', log),
  ]);
  const [clock, metrics] = [fixedClock(REPORTED_AT), makeMetrics('auction')];
  // No consumer acks here, so the wait is 1 ms.
  const appliedAcks = makeAppliedAcks(bus, 'test', 1);
  const outbox = makeOutbox({ stream: streams.auction.name, ids: secureIds, appliedAcks, wake: () => undefined });
  const settings = config({
    DATABASE_URL: database.url,
    NATS_URL: server.url,
    IDENTITY_PUBLIC_KEYS: TEST_IDENTITY_PUBLIC_KEYS,
    PUBLIC_BASE_URL: 'https://api.example.org',
    ...env,
  });
  const deps = makeDeps(settings, { log, clock, ids: secureIds, metrics, pool: database.pool, bus: ownBus, outbox });
  const fixtures = new Map<string, TenderFixture>();
  const findFixture = (request: unknown): TenderFixture | undefined => fixtures.get(TenderRequest.parse(request).id);

  const publishedEvents: RunningHandOff['publishedEvents'] = async (tenderId) => {
    const { rows } = await database.pool.query('SELECT envelope FROM kit.outbox ORDER BY position');
    return z
      .array(z.object({ envelope: z.string() }))
      .parse(rows)
      .map(({ envelope }) => Envelope.parse(JSON.parse(envelope)))
      .filter(({ subject }) => subject === tenderId)
      .map(({ type, data }) => ({ ...z.looseObject({}).parse(data), type }));
  };

  async function buildView(fixture: TenderFixture): Promise<string> {
    const { owner: _owner, ownerTokenHash: _hash, version: _version, clockShift: _shift, ...members } = fixture.facts;
    const events = await publishedEvents(fixture.facts.id);
    const isShown = events.length > 0 && (fixture.viewsBeforeShown -= 1) < 0;
    const finished = events.filter(({ type }) => type === 'auction.finished');
    const after = {
      ...(isShown ? publicAddresses(fixture.facts, events) : {}),
      ...(isShown && finished.length > 0
        ? fixture.viewAfterResults(finished.map((data) => Finished.parse(data).lot))
        : {}),
    };
    const dateModified = isShown ? REPORTED_AT : '2017-02-15T18:00:00.100000+02:00';
    return `{"data":${toJsonText({ ...members, dateModified, ...after })}}`;
  }

  respondTo(bus, rpcSubjects.tenderFacts, log, async (request) => {
    const fixture = findFixture(request);
    if (fixture?.unavailable === 'facts') throw new Error('unavailable');
    return fixture?.facts;
  });
  respondTo(bus, rpcSubjects.tenderView, log, async (request) => {
    const fixture = findFixture(request);
    if (fixture?.unavailable === 'tenders') throw new Error('unavailable');
    return fixture === undefined ? undefined : buildView(fixture);
  });
  respondTo(bus, rpcSubjects.sealedBids, log, async (request) => {
    const fixture = findFixture(request);
    if (fixture?.unavailable === 'bids') throw new Error('unavailable');
    await fixture?.bidsDelayed;
    return { bids: fixture?.bids ?? [] };
  });
  respondTo(ownBus, rpcSubjects.auctionResults, log, respondAuctionResults(deps));
  respondTo(ownBus, rpcSubjects.auctionUrls, log, respondAuctionUrls(deps));

  const app = testServer({ log, metrics, auditPool: database.pool });
  mountRoutes(app, deps);
  return {
    app,
    deps,
    bus,
    database,
    clock,
    tender(partial = {}, bids = BIDS) {
      const facts = tenderInAuction({ ...partial, id: secureIds.next() });
      const viewAfterResults = () => ({ status: 'active.qualification' });
      const fixture: TenderFixture = { facts, bids, viewAfterResults, viewsBeforeShown: 0 };
      fixtures.set(facts.id, fixture);
      return fixture;
    },
    deliver: async (facts) =>
      transact(database.pool, async (tx) => onTenderChanged(deps).apply(tx, [tenderChanged(facts)])),
    publishedEvents,
    close: async () => {
      await app.close();
      await Promise.all([bus.close(), ownBus.close()]);
      await Promise.all([server.stop(), database.drop()]);
    },
  };
}

/** The members with the published addresses in the view of a tender. */
function publicAddresses({ lots = [] }: TenderFacts, events: readonly JsonObject[]): JsonObject {
  const all = events.map((data) => Published.parse(data)).filter(({ auctionUrl }) => auctionUrl !== undefined);
  if (lots.length === 0) return { auctionUrl: all.at(-1)?.auctionUrl };
  return { lots: lots.map((one) => ({ ...one, auctionUrl: all.findLast(({ lot }) => lot === one.id)?.auctionUrl })) };
}

function tenderChanged(facts: TenderFacts): Envelope {
  const { id: subject, version } = facts;
  return makeEvent({ source: 'tenders', type: 'tender.changed', subject, time: REPORTED_AT, version, data: facts });
}

export const auctionHeaders = (segment = '2.5') =>
  signedIdentity({ broker: 'auction', group: 'auction', levels: '', segment });

/** One request as the gateway forwards it; by default of the auction component. */
export async function send(
  { app }: Pick<RunningHandOff, 'app'>,
  method: 'GET' | 'PATCH' | 'POST' | 'PUT',
  url: string,
  data?: JsonObject,
  headers: Readonly<Record<string, string>> = auctionHeaders(),
) {
  if (data === undefined) return app.inject({ method, url, headers });
  const payload = JSON.stringify({ data });
  return app.inject({ method, url, headers: { ...headers, 'content-type': 'application/json' }, payload });
}
