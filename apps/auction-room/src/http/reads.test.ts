import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureNamed, planOf, plannedAt } from '../../test-support/fixtures.ts';
import { buildApp } from '../app.ts';
import type { Deps } from '../deps.ts';
import { evolve } from '../domain/auction.evolve.ts';
import { linkHash } from '../session/links.ts';
import { rateLimit } from '../session/rates.ts';
import { sealSession } from '../session/session.ts';

const READS = 3;
const FIXTURE = fixtureNamed('01-two-bidders');
const plan = planOf(FIXTURE);
const auction = evolve(undefined, { type: 'AuctionPlanned', at: plannedAt(FIXTURE), plan });
const [BID = ''] = plan.bids.map(({ id }) => id);
const KEYS = [{ number: 1, key: Buffer.alloc(32, 7) }];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const UNKNOWN = 'f'.repeat(32);

let app: FastifyInstance;
/** Auctions that were read from the database. */
let reads: string[];
/** Whether the auction is in the memory of the replica. */
let isInMemory: boolean;

/** The app over a database with one auction; no limit gets anything back. */
beforeEach(() => {
  reads = [];
  isInMemory = true;
  const limit = (burst: number) => rateLimit({ perSecond: 1, burst }, () => 0);
  const seen = { auction, aheadMicros: 0 };
  const auctions = {
    inMemory: (id: string) => (id === plan.id && isInMemory ? seen : undefined),
    read: async (id: string) => {
      reads.push(id);
      return id === plan.id ? seen : undefined;
    },
  };
  const deps = {
    settings: {
      PUBLIC_URL: 'https://room.example.org',
      ROOM_SECRETS: KEYS,
      COMPAT_API: true,
      TRUSTED_PROXIES: [],
      RETURN_HOSTS: [],
    },
    room: { auctions },
    hub: { devices: () => 0 },
    page: { base: '', messagePage: () => '', auctionPage: () => '' },
    limits: { offers: limit(1), logins: limit(100), loginsOfAuction: limit(100), reads: limit(READS) },
    log: makeLog('test', 'fatal'),
    metrics: makeMetrics('test'),
    now: () => plannedAt(FIXTURE),
    newId: () => '0'.repeat(32),
    isEnding: () => false,
  };
  // Safe cast: the parts that these routes use.
  app = buildApp(deps as unknown as Deps);
});

const wrongLink = new URLSearchParams({ bidder_id: BID, hash: 'wrong' }).toString();

describe('reads of the database', () => {
  it.each([
    ['GET', `/tenders/${UNKNOWN}`],
    ['GET', `/tenders/${UNKNOWN}/login`],
    ['POST', `/tenders/${UNKNOWN}/login`],
    ['POST', `/tenders/${UNKNOWN}/logout`],
    ['GET', `/tenders/${UNKNOWN}/state`],
    ['GET', `/tenders/${UNKNOWN}/mine`],
    ['GET', `/tenders/${UNKNOWN}/stream`],
    ['GET', `/tenders/${UNKNOWN}/protocol`],
    ['POST', `/tenders/${UNKNOWN}/offers`],
    ['GET', `/api/auctions/${UNKNOWN}`],
    ['POST', `/api/auctions/${UNKNOWN}/bids/${BID}?hash=wrong`],
    ['POST', `/api/auctions/${UNKNOWN}/check_authorization`],
    ['GET', `/tenders/${plan.id}`],
    ['GET', `/tenders/${plan.id}/state`],
    ['POST', `/tenders/${plan.id}/login`],
    ['POST', `/api/auctions/${plan.id}/bids/${BID}?hash=wrong`],
    ['POST', `/api/auctions/${plan.id}/bids/nobody?hash=wrong`],
  ] as const)('have a limit for each address: %s %s', async (method, url) => {
    const request = { method, url, headers: FORM, ...(method === 'POST' ? { payload: wrongLink } : {}) };
    for (let read = 0; read < READS; read += 1) expect((await app.inject(request)).statusCode).not.toBe(429);
    const refused = await app.inject(request);
    expect([refused.statusCode, refused.headers['retry-after'], reads.length]).toEqual([429, '1', READS]);
    expect((await app.inject({ ...request, remoteAddress: '192.0.2.1' })).statusCode).not.toBe(429);
  });

  it('of a session and of a right link are not refused for what their address did', async () => {
    for (let read = 0; read <= READS; read += 1) await app.inject(`/tenders/${UNKNOWN}`);
    isInMemory = false;
    const sealed = sealSession(KEYS, { auctionId: plan.id, bid: BID, generation: 1, id: 'session', expiresAt: 1e12 });
    const mine = await app.inject({ url: `/tenders/${plan.id}/mine`, headers: { cookie: `room=${sealed}` } });
    expect(mine.statusCode).toBe(200);
    isInMemory = true;
    const hash = linkHash(KEYS, { auctionId: plan.id, bid: BID, generation: 1 });
    const payload = new URLSearchParams({ bidder_id: BID, hash }).toString();
    const login = await app.inject({ method: 'POST', url: `/tenders/${plan.id}/login`, headers: FORM, payload });
    expect(login.statusCode).toBe(303);
  });
});
