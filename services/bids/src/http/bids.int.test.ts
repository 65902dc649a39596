import { bidsApi } from '@procurement/contracts/api/bids.api';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bidderHeaders, ownerHeaders, postBid, send } from '../../test-support/bid-requests.ts';
import {
  tenderFactsWithLots,
  LOTS,
  organizationBody,
  bidBody,
  bidBodyWithLots,
} from '../../test-support/bidding-facts.ts';
import { NOW, startBids, type RunningBids } from '../../test-support/running-bids.ts';

let running: RunningBids;

beforeAll(async () => {
  running = await startBids();
});

beforeEach(() => running.clock.set(NOW));

afterAll(async () => {
  await running.close();
});

const title = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const late = '2026-05-20T18:00:00.000001+03:00';

// Plain JSON, read as the tests state it.
async function events(tenderId: string): Promise<any[]> {
  const { rows } = await running.database.pool.query(
    `SELECT envelope, reply_to FROM outbox WHERE subject LIKE '%.' || $1 ORDER BY position`,
    [tenderId],
  );
  return rows.map((row) => ({ ...JSON.parse(row.envelope), asksToBeSettled: row.reply_to !== null }));
}

describe(`${title(bidsApi.createBid)}`, () => {
  it('201: the bid, its address, its secrets, and an event without what it offers', async () => {
    const { id: tender } = await running.tender();
    const answer = await send(running.app, 'POST', `/tenders/${tender}/bids`, bidderHeaders, bidBody());
    expect(answer.statusCode).toBe(201);
    const { data, access } = answer.json();
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      status: 'active',
      date: NOW,
      tenderers: [organizationBody()],
      value: { amount: 489, currency: 'UAH', valueAddedTaxIncluded: true },
    });
    expect(answer.body).toContain('"amount":489.0');
    expect(answer.headers.location).toBe(`https://api.example.org/api/2.5/tenders/${tender}/bids/${data.id}`);
    expect(access).toEqual({ token: expect.any(String), transfer: expect.any(String) });
    expect(await events(tender)).toMatchObject([
      {
        type: 'bid.registered',
        asksToBeSettled: true,
        time: NOW,
        data: { id: data.id, tenderId: tender, version: 1, status: 'active', owner: 'broker2', lots: [] },
      },
    ]);
  });

  it('201: in an older segment without the transfer', async () => {
    const { id: tender } = await running.tender();
    const headers = signedIdentity({ broker: 'broker2', segment: '2.3' });
    const answer = await send(running.app, 'POST', `/tenders/${tender}/bids`, headers, bidBody());
    expect(answer.json().access).toEqual({ token: expect.any(String) });
  });

  it('201: lives in the time of its tender', async () => {
    const { id: tender } = await running.tender({ clockShift: 3_600_000_000 });
    expect((await postBid(running.app, tender)).data.date).toBe('2026-05-12T11:15:00.120034+03:00');
    const over = await running.tender({ clockShift: 9 * 86_400_000_000 });
    expect((await send(running.app, 'POST', `/tenders/${over.id}/bids`, bidderHeaders, bidBody())).statusCode).toBe(
      403,
    );
  });

  it.each([
    [401, anonymousIdentity(), bidBody()],
    [403, signedIdentity({ group: 'auction' }), bidBody()],
    [403, signedIdentity({ levels: '1' }), bidBody()],
    [415, bidderHeaders, undefined],
    [422, bidderHeaders, { tenderers: [] }],
    [422, bidderHeaders, bidBody({ value: { amount: 501 } })],
  ] as const)('%d: stores nothing', async (status, headers, data) => {
    const { id: tender } = await running.tender();
    const answer = await send(running.app, 'POST', `/tenders/${tender}/bids`, headers, data);
    expect([answer.statusCode, answer.json().status]).toEqual([status, 'error']);
    expect([await running.deps.bids.list(tender), await events(tender)]).toEqual([[], []]);
  });

  it('401: says how to come in', async () => {
    const { id: tender } = await running.tender();
    const answer = await send(running.app, 'POST', `/tenders/${tender}/bids`, anonymousIdentity(), bidBody());
    expect(answer.json().errors).toEqual([
      { location: 'header', name: 'Authorization', description: 'Broker API key required' },
    ]);
  });

  it('403: after the period, with its dates as they are stored', async () => {
    const { id: tender } = await running.tender();
    running.clock.set(late);
    const answer = await send(running.app, 'POST', `/tenders/${tender}/bids`, bidderHeaders, bidBody());
    expect([answer.statusCode, answer.json().errors]).toEqual([
      403,
      [
        {
          location: 'body',
          name: 'data',
          description:
            'Bid can be added only during the tendering period: from (2026-05-10T00:00:00+03:00) to (2026-05-20T18:00:00+03:00).',
        },
      ],
    ]);
  });

  it('404: a tender that nobody knows, whatever else is wrong', async () => {
    const answer = await send(running.app, 'POST', `/tenders/${'0'.repeat(32)}/bids`, anonymousIdentity());
    expect([answer.statusCode, answer.json().errors]).toEqual([
      404,
      [{ location: 'url', name: 'tender_id', description: 'Not Found' }],
    ]);
  });
});

describe(`${title(bidsApi.patchBid)}`, () => {
  it('200: the bid after it, and an event without what it offers', async () => {
    const { id: tender } = await running.tender();
    const bid = await postBid(running.app, tender);
    running.clock.advance(1_000);
    const answer = await send(running.app, 'PATCH', bid.path, bid.owner, { value: { amount: 450 } });
    expect([answer.statusCode, answer.json().data]).toEqual([
      200,
      { ...bid.data, value: { ...bid.data.value, amount: 450 }, date: '2026-05-12T10:15:01.120034+03:00' },
    ]);
    expect((await send(running.app, 'GET', bid.path, bid.owner)).body).toBe(answer.body);
    expect((await events(tender)).at(-1)).toMatchObject({
      type: 'bid.changed',
      asksToBeSettled: true,
      sequence: 2,
      data: { id: bid.id, version: 2, status: 'active' },
    });
  });

  it('200: a change of nothing is nothing', async () => {
    const { id: tender } = await running.tender();
    const bid = await postBid(running.app, tender);
    running.clock.advance(1_000);
    for (const wish of [{}, bid.data]) {
      const answer = await send(running.app, 'PATCH', bid.path, bid.owner, wish);
      expect([answer.statusCode, answer.json().data]).toEqual([200, bid.data]);
    }
    expect(await events(tender)).toHaveLength(1);
  });

  it('200: activates a draft', async () => {
    const { id: tender } = await running.tender();
    const bid = await postBid(running.app, tender, bidBody({ status: 'draft' }));
    const answer = await send(running.app, 'PATCH', bid.path, bid.owner, { status: 'active' });
    expect(answer.json().data).toEqual({ ...bid.data, status: 'active' });
  });

  it('200: to the Administrator only the bidder, whose bid stays sealed', async () => {
    const { id: tender } = await running.tender();
    const bid = await postBid(running.app, tender);
    const headers = signedIdentity({ broker: 'root', group: 'Administrator' });
    running.clock.set(late);
    const wish = { tenderers: [{ name: 'Інша' }], value: { amount: 1 } };
    const answer = await send(running.app, 'PATCH', bid.path, headers, wish);
    const { value: _value, ...rest } = bid.data;
    expect([answer.statusCode, answer.json().data]).toEqual([
      200,
      { ...rest, tenderers: [organizationBody({ name: 'Інша' })] },
    ]);
    expect((await send(running.app, 'GET', bid.path, bid.owner)).json().data.value.amount).toBe(489);
  });

  it('200: many at once are all applied, one after the other', async () => {
    const { id: tender } = await running.tender();
    const bid = await postBid(running.app, tender);
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) =>
        send(running.app, 'PATCH', bid.path, bid.owner, { value: { amount: n } }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    expect((await running.deps.bids.find(bid.id))?.version).toBe(41);
    expect((await events(tender)).map((event) => event.sequence)).toEqual(Array.from({ length: 41 }, (_, n) => n + 1));
  });

  it.each([
    [401, 'without credentials', () => anonymousIdentity(), { price: 1 }],
    [403, 'without its token', () => bidderHeaders, { price: 1 }],
    [403, 'with its token, by another broker', (token: string) => ownerHeaders(token, 'broker3'), { price: 1 }],
    [422, 'with a member that is unknown', ownerHeaders, { price: 1 }],
    [422, 'with too much', ownerHeaders, { value: { amount: 501 } }],
    [403, 'back to a draft', ownerHeaders, { status: 'draft' }],
    [415, 'with no body', ownerHeaders, undefined],
  ] as const)('%d: %s', async (status, _how, headersOf, data) => {
    const { id: tender } = await running.tender();
    const bid = await postBid(running.app, tender);
    expect((await send(running.app, 'PATCH', bid.path, headersOf(bid.token), data)).statusCode).toBe(status);
    expect((await send(running.app, 'GET', bid.path, bid.owner)).json().data).toEqual(bid.data);
  });

  it('404: a bid of another tender, or of none', async () => {
    const [one, other] = [await running.tender(), await running.tender()];
    const bid = await postBid(running.app, one.id);
    for (const path of [`/tenders/${other.id}/bids/${bid.id}`, `/tenders/${one.id}/bids/none`]) {
      const answer = await send(running.app, 'PATCH', path, anonymousIdentity(), {});
      expect([answer.statusCode, answer.json().errors]).toEqual([
        404,
        [{ location: 'url', name: 'bid_id', description: 'Not Found' }],
      ]);
    }
  });

  it('200: lots by their places', async () => {
    const { id: tender } = await running.tender(tenderFactsWithLots({ id: running.deps.ids.next() }));
    const lotValues = LOTS.map((relatedLot) => ({ relatedLot, value: { amount: 5 } }));
    const bid = await postBid(running.app, tender, bidBodyWithLots(...lotValues));
    running.clock.advance(1_000);
    const answer = await send(running.app, 'PATCH', bid.path, bid.owner, { lotValues: [{}, { value: { amount: 4 } }] });
    const [first, second] = answer.json().data.lotValues;
    expect(first).toEqual(bid.data.lotValues[0]);
    expect([second.value.amount, second.date]).toEqual([4, '2026-05-12T10:15:01.120034+03:00']);
    expect((await events(tender)).at(-1).data.lots).toEqual(LOTS);
  });
});

describe(`${title(bidsApi.deleteBid)}`, () => {
  it('200: the bid as it was; then it is gone for everybody, and kept for the audit', async () => {
    const { id: tender } = await running.tender();
    const bid = await postBid(running.app, tender);
    const answer = await send(running.app, 'DELETE', bid.path, bid.owner);
    expect([answer.statusCode, answer.json().data]).toEqual([200, bid.data]);
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const after = await send(running.app, method, bid.path, bid.owner);
      expect([after.statusCode, after.json().errors[0].name]).toEqual([404, 'bid_id']);
    }
    expect((await events(tender)).at(-1)).toMatchObject({
      type: 'bid.withdrawn',
      asksToBeSettled: true,
      data: { id: bid.id, version: 2, status: 'deleted' },
    });
    const { rows } = await running.database.pool.query('SELECT status, document FROM bid WHERE id = $1', [bid.id]);
    expect([rows[0].status, JSON.parse(rows[0].document)]).toEqual(['deleted', bid.data]);
  });

  it('200: of two at once one withdraws it', async () => {
    const { id: tender } = await running.tender();
    const bid = await postBid(running.app, tender);
    const answers = await Promise.all([1, 2].map(async () => send(running.app, 'DELETE', bid.path, bid.owner)));
    expect(answers.map((answer) => `${answer.statusCode}`).sort()).toEqual(['200', '404']);
  });

  it.each([
    [401, 'without credentials', () => anonymousIdentity()],
    [403, 'without its token', () => bidderHeaders],
    [403, 'with its token, by another broker', (token: string) => ownerHeaders(token, 'broker3')],
  ] as const)('%d: %s', async (status, _how, headersOf) => {
    const { id: tender } = await running.tender();
    const bid = await postBid(running.app, tender);
    expect((await send(running.app, 'DELETE', bid.path, headersOf(bid.token))).statusCode).toBe(status);
    expect((await send(running.app, 'GET', bid.path, bid.owner)).statusCode).toBe(200);
  });

  it('403: outside period and status', async () => {
    const tender = await running.tender();
    const bid = await postBid(running.app, tender.id);
    running.clock.set(late);
    const after = await send(running.app, 'DELETE', bid.path, bid.owner);
    expect(after.json().errors[0].description).toBe(
      'Bid can be deleted only during the tendering period: from (2026-05-10T00:00:00+03:00) to (2026-05-20T18:00:00+03:00).',
    );
    await running.deliver({ ...tender, status: 'active.auction', version: 2 });
    const closed = await send(running.app, 'DELETE', bid.path, bid.owner);
    expect(closed.json().errors[0].description).toBe("Can't delete bid in current (active.auction) tender status");
  });
});

describe(`${title(bidsApi.getBid)}`, () => {
  it('200: only its own token opens a sealed bid', async () => {
    const { id: tender } = await running.tender();
    const [bid, other] = [await postBid(running.app, tender), await postBid(running.app, tender)];
    expect((await send(running.app, 'GET', bid.path, bid.owner)).json().data).toEqual(bid.data);
    const strangers = [
      anonymousIdentity(),
      bidderHeaders,
      other.owner,
      ownerHeaders(bid.token, 'broker3'),
      signedIdentity({ broker: 'broker1', tokenHash: 'c'.repeat(64) }),
      signedIdentity({ broker: 'root', group: 'Administrator' }),
      signedIdentity({ broker: 'root', group: 'admins' }),
      signedIdentity({ broker: 'auction', group: 'auction', tokenHash: sha256Hex(bid.token) }),
    ];
    for (const headers of strangers) {
      const answer = await send(running.app, 'GET', bid.path, headers);
      expect([answer.statusCode, answer.json().errors]).toEqual([
        403,
        [{ location: 'body', name: 'data', description: "Can't view bid in current (active.tendering) tender status" }],
      ]);
    }
  });

  it('405: a method that bids do not have, after the 404', async () => {
    const { id: tender } = await running.tender();
    const bid = await postBid(running.app, tender);
    const answer = await send(running.app, 'PUT', bid.path, anonymousIdentity());
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, PATCH, DELETE']);
    expect((await send(running.app, 'PUT', `${bid.path}0`, anonymousIdentity())).statusCode).toBe(404);
  });
});

describe(`${title(bidsApi.listBids)}`, () => {
  it('403: while sealed, for everybody, with and without bids', async () => {
    const { id: tender } = await running.tender();
    const list = `/tenders/${tender}/bids`;
    for (const bid of [undefined, await postBid(running.app, tender)]) {
      const answer = await send(running.app, 'GET', list, bid?.owner ?? anonymousIdentity());
      expect([answer.statusCode, answer.json().errors[0].description]).toEqual([
        403,
        "Can't view bids in current (active.tendering) tender status",
      ]);
    }
  });

  it('200: open, in the order of registration, without drafts', async () => {
    const tender = await running.tender();
    const bids = [await postBid(running.app, tender.id), await postBid(running.app, tender.id)];
    await postBid(running.app, tender.id, bidBody({ status: 'draft' }));
    await running.deliver({ ...tender, status: 'active.qualification', version: 2 });
    const answer = await send(running.app, 'GET', `/tenders/${tender.id}/bids`, anonymousIdentity());
    expect([answer.statusCode, answer.json().data]).toEqual([200, bids.map((bid) => bid.data)]);
    expect(answer.body).not.toContain('owner');
  });

  it('200: nothing before tendering', async () => {
    const { id: tender } = await running.tender({ status: 'active.enquiries' });
    expect((await send(running.app, 'GET', `/tenders/${tender}/bids`, anonymousIdentity())).body).toBe('{"data":[]}');
  });
});

describe('a copy that lags', () => {
  it('refuses nothing: writes and reads are decided again by the word of the owner', async () => {
    const tender = await running.tender({ status: 'active.enquiries' });
    running.ownerTenders.set(tender.id, { ...tender, status: 'active.tendering', version: 2 });
    const bid = await postBid(running.app, tender.id);
    running.ownerTenders.set(tender.id, { ...tender, status: 'active.qualification', version: 3 });
    expect((await send(running.app, 'GET', bid.path, anonymousIdentity())).json().data).toEqual(bid.data);
    expect((await send(running.app, 'GET', `/tenders/${tender.id}/bids`, anonymousIdentity())).statusCode).toBe(200);
  });

  it('refuses nothing: nor does an older value of the tender', async () => {
    const tender = await running.tender({ value: { amount: 10, currency: 'UAH', valueAddedTaxIncluded: true } });
    running.ownerTenders.set(tender.id, {
      ...tender,
      value: { amount: 500, currency: 'UAH', valueAddedTaxIncluded: true },
      version: 2,
    });
    expect((await postBid(running.app, tender.id)).data.value.amount).toBe(489);
  });

  it('a refusal that stands costs one question; one that looks at the body only, none', async () => {
    const { id: tender } = await running.tender({ status: 'active.auction' });
    const before = running.ownerRequestCount();
    expect((await send(running.app, 'POST', `/tenders/${tender}/bids`, bidderHeaders, bidBody())).statusCode).toBe(403);
    expect(running.ownerRequestCount() - before).toBe(1);
    expect((await send(running.app, 'POST', `/tenders/${tender}/bids`, bidderHeaders, {})).statusCode).toBe(422);
    expect(running.ownerRequestCount() - before).toBe(1);
  });
});
