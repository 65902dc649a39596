import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { bidderHeaders, ownerHeaders, postBid, publishedBidEvents, send } from '../../test-support/bid-requests.ts';
import {
  tenderFactsWithLots,
  LOTS,
  organizationBody,
  bidBody,
  bidBodyWithLots,
} from '../../test-support/bidding-facts.ts';
import { tenderEvent } from '../../test-support/running-bids.ts';
import { setupBids } from '../../test-support/setup-bids.ts';
import { onQualificationDue } from '../events/on-qualification-due.ts';
import { onTenderingEnded } from '../events/on-tendering-ended.ts';

const running = setupBids();

const late = '2026-05-20T18:00:00.000001+03:00';

describe('PATCH /tenders/{id}/bids/{bid_id}', () => {
  it('200: the bid after the change, and an event without the offer', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    running().clock.advance(1_000);
    const response = await send(running().app, 'PATCH', bid.path, bid.owner, { value: { amount: 450 } });
    expect([response.statusCode, response.json().data]).toEqual([
      200,
      { ...bid.data, value: { ...bid.data.value, amount: 450 }, date: '2026-05-12T10:15:01.120034+03:00' },
    ]);
    expect((await send(running().app, 'GET', bid.path, bid.owner)).body).toBe(response.body);
    expect((await publishedBidEvents(running().database.pool, tender)).at(-1)).toMatchObject({
      type: 'bid.changed',
      asksForAppliedAck: false,
      aggregateversion: 2,
      data: { id: bid.id, version: 2, status: 'active' },
    });
  });

  it('200: changes nothing and publishes nothing for equal members', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    running().clock.advance(1_000);
    for (const data of [{}, bid.data]) {
      const response = await send(running().app, 'PATCH', bid.path, bid.owner, data);
      expect([response.statusCode, response.json().data]).toEqual([200, bid.data]);
    }
    expect(await publishedBidEvents(running().database.pool, tender)).toHaveLength(1);
  });

  it('names in Ignored-Members what had no effect, and a strict request changes nothing instead', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    const change = { value: { amount: 450 }, date: '2026-05-01', documents: [{ title: 'x' }] };
    const strict = { ...bid.owner, prefer: 'handling=strict' };
    const refused = await send(running().app, 'PATCH', bid.path, strict, change);
    expect([refused.statusCode, refused.json().errors]).toMatchObject([
      403,
      [{ pointer: '/data/date' }, { pointer: '/data/documents' }],
    ]);
    const { data } = (await send(running().app, 'GET', bid.path, bid.owner)).json();
    expect(data).toEqual(bid.data);
    const same = await send(running().app, 'PATCH', bid.path, strict, { ...data, value: { amount: 440 } });
    expect([same.statusCode, same.headers['ignored-members']]).toEqual([200, undefined]);
    const answer = await send(running().app, 'PATCH', bid.path, bid.owner, change);
    expect([answer.statusCode, answer.headers['ignored-members']]).toEqual([200, '/date, /documents']);
  });

  it('412: PATCH and DELETE with the present ETag, when If-Match names another', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    const etagNow = async () => (await send(running().app, 'GET', bid.path, bid.owner)).headers.etag ?? '';
    const first = await etagNow();
    const ifFirst = { ...bid.owner, 'if-match': first };
    expect((await send(running().app, 'PATCH', bid.path, ifFirst, { value: { amount: 450 } })).statusCode).toBe(200);
    const present = await etagNow();
    for (const [method, data] of [
      ['PATCH', { value: { amount: 440 } }],
      ['DELETE', undefined],
    ] as const) {
      const stale = await send(running().app, method, bid.path, ifFirst, data);
      expect([stale.statusCode, stale.headers.etag]).toEqual([412, present]);
    }
    const ifPresent = { ...bid.owner, 'if-match': present };
    expect((await send(running().app, 'DELETE', bid.path, ifPresent)).statusCode).toBe(200);
  });

  it('200: activates a draft', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender, bidBody({ status: 'draft' }));
    const response = await send(running().app, 'PATCH', bid.path, bid.owner, { status: 'active' });
    expect(response.json().data).toEqual({ ...bid.data, status: 'active' });
  });

  it('403: to the Administrator and admins while the bids are sealed, also for an empty body', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    for (const group of ['Administrator', 'admins']) {
      const headers = signedIdentity({ broker: 'root', group });
      for (const data of [{}, { tenderers: [{ name: 'Інша' }] }]) {
        const response = await send(running().app, 'PATCH', bid.path, headers, data);
        expect([response.statusCode, response.json().errors[0].description]).toEqual([
          403,
          "Can't view bid in current (active.tendering) tender status",
        ]);
      }
    }
    expect((await running().deps.bids.find(bid.id))?.version).toBe(1);
  });

  it('200: lets the Administrator change tenderers only after the opening, and answers the bid as it is', async () => {
    const tender = await running().tender();
    const bid = await postBid(running().app, tender.id);
    const at = '2026-05-12T10:15:00+03:00';
    await running().apply(onTenderingEnded(running().deps), [
      tenderEvent('tender.tendering-ended', tender.id, { endDate: at }),
    ]);
    running().clock.set(late);
    await running().apply(onQualificationDue(running().deps), [
      tenderEvent('tender.qualification-due', tender.id, { at }),
    ]);
    const headers = signedIdentity({ broker: 'root', group: 'Administrator' });
    for (const status of ['active.qualification', 'cancelled']) {
      await running().deliver({ ...tender, status, version: status === 'cancelled' ? 3 : 2 });
      const data = { tenderers: [{ name: `Інша ${status}` }], value: { amount: 1 } };
      const response = await send(running().app, 'PATCH', bid.path, headers, data);
      expect([response.statusCode, response.json().data]).toEqual([
        200,
        { ...bid.data, tenderers: [organizationBody({ name: `Інша ${status}` })] },
      ]);
    }
  });

  it('200: applies concurrent changes one after the other', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    const responses = await Promise.all(
      Array.from({ length: 40 }, async (_, n) =>
        send(running().app, 'PATCH', bid.path, bid.owner, { value: { amount: n } }),
      ),
    );
    expect(new Set(responses.map((response) => response.statusCode))).toEqual(new Set([200]));
    expect((await running().deps.bids.find(bid.id))?.version).toBe(41);
    expect((await publishedBidEvents(running().database.pool, tender)).map((event) => event.aggregateversion)).toEqual(
      Array.from({ length: 41 }, (_, n) => n + 1),
    );
  });

  it.each([
    [401, 'without credentials', () => anonymousIdentity(), { price: 1 }],
    [403, 'without its token', () => bidderHeaders, { price: 1 }],
    [403, 'with its token, by another broker', (token: string) => ownerHeaders(token, 'broker3'), { price: 1 }],
    [422, 'with an unknown member', ownerHeaders, { price: 1 }],
    [422, 'with an amount above the limit', ownerHeaders, { value: { amount: 501 } }],
    [403, 'back to a draft', ownerHeaders, { status: 'draft' }],
    [415, 'without a body', ownerHeaders, undefined],
  ] as const)('%d: %s', async (status, _how, headersOf, data) => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    expect((await send(running().app, 'PATCH', bid.path, headersOf(bid.token), data)).statusCode).toBe(status);
    expect((await send(running().app, 'GET', bid.path, bid.owner)).json().data).toEqual(bid.data);
  });

  it('404: a bid of another tender, or an unknown bid', async () => {
    const [one, other] = [await running().tender(), await running().tender()];
    const bid = await postBid(running().app, one.id);
    for (const path of [`/tenders/${other.id}/bids/${bid.id}`, `/tenders/${one.id}/bids/none`]) {
      const response = await send(running().app, 'PATCH', path, anonymousIdentity(), {});
      expect([response.statusCode, response.json().errors]).toMatchObject([
        404,
        [{ location: 'url', name: 'bid_id', description: 'Not Found' }],
      ]);
    }
  });

  it('200: merges lot values by position', async () => {
    const { id: tender } = await running().tender(tenderFactsWithLots({ id: running().deps.ids.next() }));
    const lotValues = LOTS.map((relatedLot) => ({ relatedLot, value: { amount: 5 } }));
    const bid = await postBid(running().app, tender, bidBodyWithLots(...lotValues));
    running().clock.advance(1_000);
    const response = await send(running().app, 'PATCH', bid.path, bid.owner, {
      lotValues: [{}, { value: { amount: 4 } }],
    });
    const [first, second] = response.json().data.lotValues;
    expect(first).toEqual(bid.data.lotValues[0]);
    expect([second.value.amount, second.date]).toEqual([4, '2026-05-12T10:15:01.120034+03:00']);
    expect((await publishedBidEvents(running().database.pool, tender)).at(-1).data.lots).toEqual(LOTS);
  });
});
