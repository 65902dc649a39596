import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sendRequest } from '@procurement/kit/messaging/request';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  tenderInAuctionWithLots,
  BIDS,
  LOT_1,
  LOT_2,
  LOT_BIDS,
  REPORTED_AT,
  AUCTION_STARTS,
  BID_X,
  BID_Y,
} from '../../test-support/hand-off-facts.ts';
import {
  auctionHeaders,
  startHandOff,
  send,
  type RunningHandOff,
  type TenderFixture,
} from '../../test-support/running-hand-off.ts';

let running: RunningHandOff;
const TOKEN = 'c0ffee';

beforeAll(async () => {
  running = await startHandOff();
});

afterAll(async () => {
  await running.close();
});

const path = ({ facts }: TenderFixture, lot?: string): string =>
  `/tenders/${facts.id}/auction${lot === undefined ? '' : `/${lot}`}`;
const value = (amount: number) => ({ value: { amount } });
const RESULTS = { bids: [value(390), value(400)] };
const URL = 'https://auction.example.org/tenders/7e1b';
const award = { id: '3'.repeat(32), status: 'pending', bid_id: BID_X };

/** What the other services make of results: the tender is in qualification, with the end of its auction and an award. */
const awarded = () => ({
  status: 'active.qualification',
  auctionPeriod: { startDate: AUCTION_STARTS, endDate: REPORTED_AT },
  awards: [award],
});
const results = async (id: string, lot?: string) => sendRequest(running.bus, rpcSubjects.auctionResults, { id, lot });

describe('GET /tenders/{id}/auction', () => {
  it('gives the auction what it begins with', async () => {
    const world = running.tender();
    const answered = await send(running, 'GET', path(world));
    expect(answered.statusCode).toBe(200);
    expect(answered.json().data).toEqual({
      tenderID: world.facts.tenderID,
      dateModified: '2017-02-15T18:00:00.100000+02:00',
      minimalStep: world.facts.minimalStep,
      tenderPeriod: world.facts.tenderPeriod,
      auctionPeriod: world.facts.auctionPeriod,
      bids: BIDS,
    });
    expect(answered.body).toContain('"amount":469.0');
  });

  it('shows segment 2.5 to nobody else, and older segments a masked one', async () => {
    const world = running.tender();
    const refused = await send(running, 'GET', path(world), undefined, anonymousIdentity());
    expect([refused.statusCode, refused.json().errors[0].description]).toEqual([403, 'Forbidden']);
    running.clock.set('2017-02-16T11:12:33+02:00');
    const anybody = signedIdentity({ segment: '2.3' });
    const masked = await send(running, 'GET', path(world), undefined, anybody);
    expect(masked.json().data.bids[0]).toEqual({
      date: BIDS[0]?.date,
      value: { currency: 'UAH', valueAddedTaxIncluded: true },
    });
    running.clock.set(REPORTED_AT);
    const started = await send(running, 'GET', path(world), undefined, anybody);
    expect(started.json().data.bids[0].value.amount).toBe(469);
  });

  it('is refused outside the auction by what the tender is now, whatever had arrived here', async () => {
    const world = running.tender();
    await running.deliver(world.facts);
    world.facts = { ...world.facts, version: 2, status: 'cancelled' };
    const { statusCode, body } = await send(running, 'GET', path(world));
    expect(statusCode).toBe(403);
    expect(body).toContain("Can't get auction info in current (cancelled) tender status");
  });

  it('knows no tender, no lot and no method that there is not', async () => {
    const nowhere = await send(running, 'GET', `/tenders/${'9'.repeat(32)}/auction`);
    expect([nowhere.statusCode, nowhere.json().errors[0].name]).toEqual([404, 'tender_id']);
    const world = running.tender(tenderInAuctionWithLots(), LOT_BIDS);
    const ofLot = await send(running, 'GET', path(world, LOT_1));
    expect([ofLot.statusCode, ofLot.headers['allow']]).toEqual([405, 'POST, PATCH']);
    const noLot = await send(running, 'GET', path(world, 'f'.repeat(32)));
    expect([noLot.statusCode, noLot.json().errors[0].name]).toEqual([404, 'auction_lot_id']);
  });
});

describe('PATCH /tenders/{id}/auction', () => {
  it('publishes addresses: the tender is told of its own, the bids ask for theirs', async () => {
    const world = running.tender();
    const bids = [BID_X, BID_Y].map((id) => ({ id, participationUrl: `${URL}/login?bidder_id=${id}` }));
    const answered = await send(running, 'PATCH', path(world), { auctionUrl: URL, bids });
    expect(answered.statusCode).toBe(200);
    expect(answered.json().data).toMatchObject({
      auctionUrl: URL,
      bids: bids.map((bid, n) => ({ ...BIDS[n], ...bid })),
    });
    expect(await running.publishedEvents(world.facts.id)).toEqual([
      { type: 'auction.urls-published', id: world.facts.id, auctionUrl: URL },
    ]);
    const urls = await sendRequest(running.bus, rpcSubjects.auctionUrls, { id: world.facts.id });
    expect(urls).toEqual({ kind: 'answer', value: { id: world.facts.id, bids } });
    await send(running, 'PATCH', path(world), { auctionUrl: URL, bids });
    expect(await running.publishedEvents(world.facts.id)).toHaveLength(1);
  });

  it('answers the tender as it is after the publication, although bids were faster to apply it than the tender', async () => {
    const world = running.tender();
    world.viewsBeforeShown = 3;
    const answered = await send(running, 'PATCH', path(world), { auctionUrl: URL });
    expect([answered.json().data.dateModified, world.viewsBeforeShown]).toEqual([REPORTED_AT, -1]);
    const lotted = running.tender(tenderInAuctionWithLots(), LOT_BIDS);
    lotted.viewsBeforeShown = 3;
    const ofLot = await send(running, 'PATCH', path(lotted, LOT_2), { lots: [{}, { auctionUrl: URL }] });
    expect([ofLot.json().data.dateModified, lotted.viewsBeforeShown]).toEqual([REPORTED_AT, -1]);
  });

  it('publishes those of a lot, and the last counts', async () => {
    const world = running.tender(tenderInAuctionWithLots(), LOT_BIDS);
    const publish = async (url: string) =>
      send(running, 'PATCH', path(world, LOT_2), {
        lots: [{}, { auctionUrl: url }],
        bids: [{ lotValues: [{}, { participationUrl: `${url}/x` }] }, {}],
      });
    await publish(URL);
    const answered = await publish(`${URL}/again`);
    expect(answered.json().data.lots[1].auctionUrl).toBe(`${URL}/again`);
    expect(answered.json().data.bids[0].lotValues[1].participationUrl).toBe(`${URL}/again/x`);
    const told = await running.publishedEvents(world.facts.id);
    expect(told.map(({ auctionUrl, lot }) => [lot, auctionUrl])).toEqual([
      [LOT_2, URL],
      [LOT_2, `${URL}/again`],
    ]);
    expect(JSON.stringify(told)).not.toContain('/x');
  });

  it('reports by older segments, with the record as answer', async () => {
    const world = running.tender();
    world.viewAfterResults = awarded;
    const echo = {
      dateModified: REPORTED_AT,
      bids: [390, 400].map((amount) => ({ value: { amount, currency: 'UAH' } })),
    };
    const report = async () => send(running, 'PATCH', path(world), echo, auctionHeaders('2.3'));
    const answered = await report();
    expect(answered.statusCode).toBe(200);
    expect(answered.json().data.bids).toEqual(
      [390, 400].map((amount, n) => ({ ...BIDS[n], value: { amount, currency: 'UAH', valueAddedTaxIncluded: true } })),
    );
    world.facts = { ...world.facts, version: 2, status: 'active.qualification' };
    expect((await report()).json().data).toEqual(answered.json().data);
    expect((await running.publishedEvents(world.facts.id)).map(({ type }) => type)).toEqual(['auction.finished']);
  });
});

describe('POST /tenders/{id}/auction', () => {
  it('records results once, waits for what becomes of them, and answers the tender as anyone sees it', async () => {
    const world = running.tender();
    world.viewAfterResults = awarded;
    world.viewsBeforeShown = 3;
    const answered = await send(running, 'POST', path(world), RESULTS);
    expect([answered.statusCode, world.viewsBeforeShown]).toEqual([200, -1]);
    expect(answered.json().data).toMatchObject({ id: world.facts.id, status: 'active.qualification', awards: [award] });
    expect(answered.headers['location']).toBe(
      `https://api.example.org/api/2.5/tenders/${world.facts.id}/awards/${award.id}`,
    );
    const told = await running.publishedEvents(world.facts.id);
    expect(told).toEqual([{ type: 'auction.finished', id: world.facts.id, at: REPORTED_AT }]);
    expect(await results(world.facts.id)).toEqual({
      kind: 'answer',
      value: {
        id: world.facts.id,
        results: [
          { id: BID_X, amount: 390 },
          { id: BID_Y, amount: 400 },
        ],
      },
    });

    world.facts = { ...world.facts, version: 2, status: 'active.qualification' };
    const again = await send(running, 'POST', path(world), RESULTS);
    expect([again.statusCode, again.body]).toEqual([200, answered.body]);
    const other = await send(running, 'POST', path(world), { bids: [value(1), value(2)] });
    expect([other.statusCode, other.json().errors[0].description]).toEqual([
      403,
      "Can't report auction results in current (active.qualification) tender status",
    ]);
    expect(await running.publishedEvents(world.facts.id)).toHaveLength(1);
  });

  it('takes one of many reports at a time, and tells of one', async () => {
    const world = running.tender();
    world.viewAfterResults = awarded;
    const amounts = [390, 391, 390, 392, 390, 391];
    const answers = await Promise.all(
      amounts.map(async (amount) => send(running, 'POST', path(world), { bids: [value(amount), {}] })),
    );
    const recorded = await results(world.facts.id);
    const won = recorded.kind === 'answer' ? JSON.stringify(recorded.value) : '';
    for (const [n, amount] of amounts.entries()) {
      expect(answers[n]?.statusCode).toBe(won.includes(`"amount":${amount}`) ? 200 : 403);
    }
    expect(await running.publishedEvents(world.facts.id)).toHaveLength(1);
  });

  it('of a lot ends that lot, and says no more while others run', async () => {
    const world = running.tender(tenderInAuctionWithLots(), LOT_BIDS);
    const ended = { startDate: AUCTION_STARTS, endDate: REPORTED_AT };
    const lotsAfter = (finished: readonly (string | undefined)[]) =>
      (world.facts.lots ?? []).map((lot) => (finished.includes(lot.id) ? { ...lot, auctionPeriod: ended } : lot));
    world.viewAfterResults = (finished) =>
      finished.length < 2
        ? { lots: lotsAfter(finished) }
        : {
            lots: lotsAfter(finished),
            status: 'active.qualification',
            awards: [
              { ...award, lotID: LOT_1 },
              { ...award, id: '4'.repeat(32), lotID: LOT_2 },
            ],
          };
    const first = await send(running, 'POST', path(world, LOT_1), { bids: [{ lotValues: [value(400), {}] }, {}] });
    expect(first.json().data.status).toBe('active.auction');
    expect(first.headers['location']).toBeUndefined();
    expect(await results(world.facts.id, LOT_1)).toMatchObject({
      value: { lot: LOT_1, results: [{ id: BID_X, amount: 400 }, { id: BID_Y }] },
    });
    const second = await send(running, 'POST', path(world, LOT_2), {});
    expect(second.json().data.status).toBe('active.qualification');
    expect(second.headers['location']).toMatch(/4{32}$/);
    expect((await running.publishedEvents(world.facts.id)).map(({ lot }) => lot)).toEqual([LOT_1, LOT_2]);
  });

  it('is judged by the tender as its owner knows it, not by what had arrived here', async () => {
    const late = running.tender({ status: 'active.tendering' });
    await running.deliver(late.facts);
    late.facts = { ...late.facts, version: 2, status: 'active.auction' };
    late.viewAfterResults = awarded;
    expect((await send(running, 'POST', path(late), RESULTS)).statusCode).toBe(200);
    const cancelled = running.tender();
    await running.deliver(cancelled.facts);
    cancelled.facts = { ...cancelled.facts, version: 2, status: 'cancelled' };
    expect((await send(running, 'POST', path(cancelled), RESULTS)).statusCode).toBe(403);
    expect(await running.publishedEvents(cancelled.facts.id)).toEqual([]);
  });

  it('is refused when a cancellation came first, although it was under way', async () => {
    const world = running.tender();
    world.viewAfterResults = () => ({ status: 'cancelled' });
    const { statusCode, body } = await send(running, 'POST', path(world), RESULTS);
    expect([statusCode, body.includes('(cancelled) tender status')]).toEqual([403, true]);
  });

  it('waits for siblings that are away, and records nothing that it could not judge', async () => {
    const world = running.tender();
    world.unavailable = 'bids';
    for (const method of ['GET', 'POST'] as const) {
      const answered = await send(running, method, path(world), method === 'GET' ? undefined : RESULTS);
      expect([answered.statusCode, answered.headers['retry-after']]).toEqual([503, '5']);
    }
    expect(await running.publishedEvents(world.facts.id)).toEqual([]);
    world.unavailable = 'tenders';
    expect((await send(running, 'GET', path(world))).statusCode).toBe(503);
  });

  it('keeps amounts out of events', async () => {
    const world = running.tender();
    await send(running, 'POST', path(world), { bids: [value(123.45), {}] });
    expect(JSON.stringify(await running.publishedEvents(world.facts.id))).not.toContain('123.45');
  });
});

describe('a sandbox with open guards', () => {
  let sandbox: RunningHandOff;
  const owner = signedIdentity({ broker: 'broker1', tokenHash: sha256Hex(TOKEN), segment: '2.3' });

  beforeAll(async () => {
    sandbox = await startHandOff({ SANDBOX_MODE: 'on' });
  });

  afterAll(async () => {
    await sandbox.close();
  });

  it('serves what the interface document shows of a fresh tender, and nothing comes of it', async () => {
    const world = sandbox.tender({ status: 'active.enquiries', mode: 'test', ownerTokenHash: sha256Hex(TOKEN) });
    const anybody = { ...anonymousIdentity(), ...signedIdentity({ segment: '2.3', group: 'anonymous' }) };
    const read = await send(sandbox, 'GET', path(world), undefined, anybody);
    expect([read.statusCode, read.json().data.bids]).toEqual([200, BIDS]);
    const answered = await send(sandbox, 'PATCH', path(world), RESULTS, owner);
    expect(answered.statusCode).toBe(200);
    expect(answered.json().data.bids.map((bid: (typeof world.bids)[0]) => bid.value?.amount)).toEqual([390, 400]);
    expect(await sandbox.publishedEvents(world.facts.id)).toEqual([]);
    const strict = await send(sandbox, 'GET', path(world));
    expect(strict.statusCode).toBe(403);
  });

  it('lets the owner of a test tender end its auction', async () => {
    const world = sandbox.tender({ mode: 'test', ownerTokenHash: sha256Hex(TOKEN) });
    world.viewAfterResults = awarded;
    expect((await send(sandbox, 'PATCH', path(world), RESULTS, owner)).statusCode).toBe(200);
    expect(await sandbox.publishedEvents(world.facts.id)).toMatchObject([{ type: 'auction.finished' }]);
  });
});
