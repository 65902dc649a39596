import { beforeEach, describe, expect, it } from 'vitest';
import { STUB_AUCTION, STUB_KEYS, stubApp, type StubApp } from '../../test-support/stub-app.ts';
import { linkHash } from '../session/links.ts';
import { sealSession } from '../session/session.ts';

const READS = 3;
const { plan } = STUB_AUCTION;
const [BID = ''] = plan.bids.map(({ id }) => id);
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const UNKNOWN = 'f'.repeat(32);

let stub: StubApp;
beforeEach(() => {
  stub = stubApp({ readsMax: READS });
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
    for (let read = 0; read < READS; read += 1) expect((await stub.app.inject(request)).statusCode).not.toBe(429);
    const refused = await stub.app.inject(request);
    expect([refused.statusCode, refused.headers['retry-after'], stub.reads.length]).toEqual([429, '1', READS]);
    expect((await stub.app.inject({ ...request, remoteAddress: '192.0.2.1' })).statusCode).not.toBe(429);
  });

  it.each([
    ['/', ['next-auction', 'auctions-of-day', 'next-auction']],
    ['/?q=UA-1', ['auctions-of-number', 'auctions-of-number', 'auctions-of-number']],
    ['/auctions', ['auctions-of-day', 'auctions-of-day', 'auctions-of-day']],
  ])('of lists count one by one: %s', async (url, reads) => {
    let statusCode = 200;
    while (statusCode === 200 && stub.reads.length <= READS) ({ statusCode } = await stub.app.inject(url));
    expect([statusCode, stub.reads]).toEqual([429, reads]);
    expect((await stub.app.inject({ url, remoteAddress: '192.0.2.1' })).statusCode).toBe(200);
  });

  it('of a session and of a right link are not refused for what their address did', async () => {
    for (let read = 0; read <= READS; read += 1) await stub.app.inject(`/tenders/${UNKNOWN}`);
    stub.isInMemory = false;
    const sealed = sealSession(STUB_KEYS, {
      auctionId: plan.id,
      bid: BID,
      generation: 1,
      entry: 1,
      id: 'session',
      expiresAt: 1e12,
    });
    const mine = await stub.app.inject({ url: `/tenders/${plan.id}/mine`, headers: { cookie: `room=${sealed}` } });
    expect(mine.statusCode).toBe(200);
    stub.isInMemory = true;
    const hash = linkHash(STUB_KEYS, { auctionId: plan.id, bid: BID, generation: 1 });
    const payload = new URLSearchParams({ bidder_id: BID, hash }).toString();
    const login = await stub.app.inject({ method: 'POST', url: `/tenders/${plan.id}/login`, headers: FORM, payload });
    expect(login.statusCode).toBe(303);
  });
});
