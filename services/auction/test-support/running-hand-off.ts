import { Envelope } from '@procurement/contracts/events/envelope';
import { askSubjects, streams } from '@procurement/contracts/events/subjects';
import { toJsonText } from '@procurement/contracts/json-text';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { answer } from '@procurement/kit/ask';
import { openBus, type Bus } from '@procurement/kit/bus';
import { transact } from '@procurement/kit/database';
import { secureMint } from '@procurement/kit/ids';
import { makeLog } from '@procurement/kit/log';
import { makeMetrics } from '@procurement/kit/metrics';
import { makeOutbox } from '@procurement/kit/outbox';
import { makeSettler } from '@procurement/kit/settle';
import { freshBus } from '@procurement/testing/bus';
import { fixedClock, type FixedClock } from '@procurement/testing/clock';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { eventOf } from '@procurement/testing/event';
import { signedIdentity, TEST_IDENTITY_SECRET } from '@procurement/testing/identity';
import { testServer } from '@procurement/testing/server';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { mountRoutes } from '../src/app.ts';
import { config } from '../src/config.ts';
import { makeDeps, type Deps } from '../src/deps.ts';
import type { OfferedBid } from '../src/domain/hand-off.ts';
import { auctionResultsOf, auctionUrlsOf } from '../src/events/answer-auctions.ts';
import { onTenderChanged } from '../src/events/on-tender-changed.ts';
import { auctioned, BIDS, REPORTED, type Data } from './hand-off-facts.ts';

/** A tender as its siblings know it; tests change it in place. */
export interface World {
  facts: TenderFacts;
  bids: readonly OfferedBid[];
  /** What the chain of services makes of the tender once results of it are published. */
  afterwards: (lots: readonly (string | undefined)[]) => Data;
  /** How often the tender is looked at before it shows that, or addresses. */
  looksBefore: number;
  /** Which sibling does not answer for it. */
  away?: 'tenders' | 'bids';
}

/** The hand-off on a database and a bus of its own, with tests in the place of tenders and bids. */
export interface RunningHandOff {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly bus: Bus;
  readonly database: TestDatabase;
  readonly clock: FixedClock;
  /** A tender that its siblings know. */
  tender(partial?: Partial<TenderFacts>, bids?: readonly OfferedBid[]): World;
  /** What arrives by event. */
  tell(facts: TenderFacts): Promise<void>;
  /** Events of this service about a tender, with their types. */
  told(tenderId: string): Promise<readonly (Data & { readonly type: string })[]>;
  close(): Promise<void>;
}

export type Env = Readonly<Record<string, string>>;

const Question = z.object({ id: z.string() });
const Finished = z.object({ lot: z.string().optional() });
const Published = z.object({ lot: z.string().optional(), auctionUrl: z.string().optional() });

export async function runningHandOff(env: Env = {}): Promise<RunningHandOff> {
  const [server, database] = await Promise.all([freshBus(), freshDatabase('auction')]);
  const log = makeLog('auction', 'fatal');
  const bus = await openBus(server.url, 'auction', log);
  const [clock, metrics] = [fixedClock(REPORTED), makeMetrics('auction')];
  // Nobody follows here, so nobody answers: waiting for it would only make every write slow.
  const settler = makeSettler(bus, 'test', 1);
  const outbox = makeOutbox({ stream: streams.auction.name, mint: secureMint, settler, wake: () => undefined });
  const settings = config({
    DATABASE_URL: database.url,
    NATS_URL: server.url,
    IDENTITY_SECRET: TEST_IDENTITY_SECRET,
    PUBLIC_BASE_URL: 'https://api.example.org',
    ...env,
  });
  const deps = makeDeps(settings, { log, clock, mint: secureMint, metrics, pool: database.pool, bus, outbox });
  const worlds = new Map<string, World>();
  const worldOf = (question: unknown): World | undefined => worlds.get(Question.parse(question).id);

  const told: RunningHandOff['told'] = async (tenderId) => {
    const { rows } = await database.pool.query('SELECT envelope FROM outbox ORDER BY position');
    return z
      .array(z.object({ envelope: z.string() }))
      .parse(rows)
      .map(({ envelope }) => Envelope.parse(JSON.parse(envelope)))
      .filter(({ subject }) => subject === tenderId)
      .map(({ type, data }) => ({ ...z.looseObject({}).parse(data), type }));
  };

  async function viewOf(world: World): Promise<string> {
    const { owner: _owner, ownerTokenHash: _hash, version: _version, clockShift: _shift, ...shown } = world.facts;
    const events = await told(world.facts.id);
    const isShown = events.length > 0 && (world.looksBefore -= 1) < 0;
    const finished = events.filter(({ type }) => type === 'auction.finished');
    const after = {
      ...(isShown ? published(world.facts, events) : {}),
      ...(isShown && finished.length > 0 ? world.afterwards(finished.map((data) => Finished.parse(data).lot)) : {}),
    };
    const dateModified = isShown ? REPORTED : '2017-02-15T18:00:00.100000+02:00';
    return `{"data":${toJsonText({ ...shown, dateModified, ...after })}}`;
  }

  answer(bus, askSubjects.tenderFacts, log, async (question) => worldOf(question)?.facts);
  answer(bus, askSubjects.tenderView, log, async (question) => {
    const world = worldOf(question);
    if (world?.away === 'tenders') throw new Error('away');
    return world === undefined ? undefined : viewOf(world);
  });
  answer(bus, askSubjects.sealedBids, log, async (question) => {
    const world = worldOf(question);
    if (world?.away === 'bids') throw new Error('away');
    return { bids: world?.bids ?? [] };
  });
  answer(bus, askSubjects.auctionResults, log, auctionResultsOf(deps));
  answer(bus, askSubjects.auctionUrls, log, auctionUrlsOf(deps));

  const app = testServer({ log, metrics });
  mountRoutes(app, deps);
  return {
    app,
    deps,
    bus,
    database,
    clock,
    tender(partial = {}, bids = BIDS) {
      const facts = auctioned({ ...partial, id: secureMint.id() });
      const afterwards = () => ({ status: 'active.qualification' });
      const world: World = { facts, bids, afterwards, looksBefore: 0 };
      worlds.set(facts.id, world);
      return world;
    },
    tell: async (facts) =>
      transact(database.pool, async (tx) => onTenderChanged(deps).apply(tx, [tenderChanged(facts)])),
    told,
    close: async () => {
      await app.close();
      await bus.close();
      await Promise.all([server.stop(), database.drop()]);
    },
  };
}

/** Where the auctions of a tender can be watched, as the tender shows it. */
function published({ lots = [] }: TenderFacts, events: readonly Data[]): Data {
  const all = events.map((data) => Published.parse(data)).filter(({ auctionUrl }) => auctionUrl !== undefined);
  if (lots.length === 0) return { auctionUrl: all.at(-1)?.auctionUrl };
  return { lots: lots.map((one) => ({ ...one, auctionUrl: all.findLast(({ lot }) => lot === one.id)?.auctionUrl })) };
}

function tenderChanged(facts: TenderFacts): Envelope {
  const { id: subject, version } = facts;
  return eventOf({ source: 'tenders', type: 'tender.changed', subject, time: REPORTED, version, data: facts });
}

export const auctionKey = (segment = '2.5') =>
  signedIdentity({ broker: 'auction', group: 'auction', levels: '', segment });

/** One request as the gateway forwards it; of the auction component unless told otherwise. */
export async function send(
  { app }: Pick<RunningHandOff, 'app'>,
  method: 'GET' | 'PATCH' | 'POST' | 'PUT',
  url: string,
  data?: Data,
  headers: Readonly<Record<string, string>> = auctionKey(),
) {
  if (data === undefined) return app.inject({ method, url, headers });
  const payload = JSON.stringify({ data });
  return app.inject({ method, url, headers: { ...headers, 'content-type': 'application/json' }, payload });
}
