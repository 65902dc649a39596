import { describe, expect, inject, it } from 'vitest';
import { broker, type Answer } from '../../support/broker.ts';
import { interfaceBid, plainTender } from '../../support/tender.ts';

const gatewayUrl = inject('gatewayUrl');
const buyer = broker(gatewayUrl, 'broker1');
const bidder = broker(gatewayUrl, 'broker2');
const anyone = broker(gatewayUrl, undefined);
const settled = (key?: string) => broker(gatewayUrl, key, '2.5');

/** Where the bids of a new tender are. */
async function bidsOfNewTender(): Promise<string> {
  const { body } = await buyer.post('/tenders', plainTender());
  return `/tenders/${body.data.id}/bids`;
}

function expectError(answer: Answer, status: number, description: string): void {
  expect([answer.status, answer.body.errors[0].description]).toEqual([status, description]);
}

describe('POST /tenders/{id}/bids, as interface.md shows it', () => {
  it('answers 201 with Location, the token of the bid, and what the service assigns', async () => {
    const bids = await bidsOfNewTender();
    const answer = await bidder.post(bids, interfaceBid(489));
    expect(answer.status).toBe(201);
    const { data, access } = answer.body;
    expect(answer.headers.get('location')).toBe(`${gatewayUrl}/api/2.3${bids}/${data.id}`);
    expect(access).toEqual({ token: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      status: 'registration',
      date: expect.stringMatching(/\.\d{6}\+0[23]:00$/),
      tenderers: interfaceBid(489)['tenderers'],
      value: { amount: 489, currency: 'UAH', valueAddedTaxIncluded: true },
    });
    expect(answer.text).toContain('"amount":489.0');
  });

  it('lets a newcomer read what was posted, in any non-final status (rulings R3)', async () => {
    const bids = await bidsOfNewTender();
    const { data } = (await bidder.post(bids, interfaceBid(489))).body;
    expect((await anyone.get(bids)).body.data).toEqual([data]);
    expect((await anyone.get(`${bids}/${data.id}`)).body.data).toEqual(data);
  });

  it('leaves no trace on the tender and in the feed (rulings R6)', async () => {
    const bids = await bidsOfNewTender();
    const tender = bids.slice(0, -'/bids'.length);
    const before = (await anyone.get(tender)).text;
    await bidder.post(bids, interfaceBid(489));
    expect((await anyone.get(tender)).text).toBe(before);
  });

  it.each([
    [
      'an amount above the value of the tender',
      { value: { amount: 501 } },
      'value',
      ['value of bid should be less than value of tender'],
    ],
    [
      'another currency',
      { value: { amount: 1, currency: 'USD' } },
      'value',
      ['currency of bid should be identical to currency of value of tender'],
    ],
    ['no amount', { value: {} }, 'value', { amount: ['This field is required.'] }],
    ['nobody', { tenderers: [] }, 'tenderers', ['Please provide at least 1 item.']],
    ['an unknown member', { price: 1 }, 'price', 'Rogue field'],
  ])('refuses %s', async (_what, overrides, name, description) => {
    const answer = await bidder.post(await bidsOfNewTender(), { ...interfaceBid(489), ...overrides });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toContainEqual({ location: 'body', name, description });
  });

  it('knows who may bid', async () => {
    const bids = await bidsOfNewTender();
    expectError(await anyone.post(bids, interfaceBid(1)), 401, 'Broker API key required');
    expectError(await broker(gatewayUrl, 'auction').post(bids, interfaceBid(1)), 403, 'Forbidden');
    expectError(await anyone.post(`/tenders/${'0'.repeat(32)}/bids`, {}), 404, 'Not Found');
    expectError(await bidder.request('DELETE', bids), 405, 'Method Not Allowed');
  });
});

describe('segment 2.5 is strict, and seals (rulings R3, bids-awards-auction.md 1.5)', () => {
  it('refuses a bid before tendering begins', async () => {
    const bids = await bidsOfNewTender();
    const [tenderer] = interfaceBid(1)['tenderers'] as { id: object; address: object }[];
    const organization = {
      name: 'ДУС',
      identifier: { scheme: 'UA-EDR', id: '00037256' },
      address: tenderer?.address,
      contactPoint: { name: 'ДУС', telephone: '0440000000' },
    };
    const answer = await settled('broker2').post(bids, { tenderers: [organization], value: { amount: 1 } });
    expectError(answer, 403, "Can't add bid in current (active.enquiries) tender status");
    expect((await settled().get(bids)).body.data).toEqual([]);
  });

  it('shows a bid to its own owner only', async () => {
    const bids = await bidsOfNewTender();
    const mine = (await bidder.post(bids, interfaceBid(489))).body;
    const other = (await bidder.post(bids, interfaceBid(470))).body;
    const path = `${bids}/${mine.data.id}`;
    const sealed = "Can't view bid in current (active.enquiries) tender status";
    expectError(await settled().get(bids), 403, "Can't view bids in current (active.enquiries) tender status");
    expectError(await settled().get(path), 403, sealed);
    expectError(await settled().get(`${path}?acc_token=${mine.access.token}`), 403, sealed);
    expectError(await settled('broker1').get(`${path}?acc_token=${mine.access.token}`), 403, sealed);
    expectError(await settled('broker2').get(`${path}?acc_token=${other.access.token}`), 403, sealed);
    const seen = await settled('broker2').get(`${path}?acc_token=${mine.access.token}`);
    expect(seen.body.data).toMatchObject({ status: 'active', value: { amount: 489 } });
    expect(seen.text).not.toContain(mine.access.token);
  });
});
