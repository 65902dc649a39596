import { describe, expect, inject, it } from 'vitest';
import { patientBroker, type ApiResponse, type Json } from '../../support/broker.ts';
import {
  EARLIEST,
  MIDDLE,
  SEGMENT_0,
  SEGMENT_2_3,
  LEGACY_GENERATIONS,
  type Generation,
} from '../../support/generations.ts';
import { bidBody, expectedBid, publishTender, generationClient } from '../../support/generation-client.ts';
import { publish, TENDERER } from '../../support/published-tender.ts';
import { interfaceBid, minimalTender } from '../../support/request-bodies.ts';

const gatewayUrl = inject('gatewayUrl');

/** The path of the bids of a new tender in a generation. */
async function bidsPathOfNewTender(generation: Generation): Promise<string> {
  return `${(await publishTender(gatewayUrl, generation)).path}/${generation.names.bids}`;
}

/** A bid of broker2 on a new tender, and its paths. */
async function submitBidOnNewTender(
  generation: Generation,
  sum: number,
): Promise<{ path: string; tokenQuery: string; data: Json }> {
  const bids = await bidsPathOfNewTender(generation);
  const { data, access } = (
    await generationClient(gatewayUrl, generation, 'broker2').post(bids, bidBody(generation, sum))
  ).body;
  return { path: `${bids}/${data.id}`, tokenQuery: `?acc_token=${access.token}`, data };
}

function expectError(answer: ApiResponse, status: number, description: string): void {
  expect([answer.status, answer.body.errors[0].description]).toEqual([status, description]);
}

describe.each(LEGACY_GENERATIONS)('POST of a bid in interface.md, generation $name', (generation) => {
  const { segment, names } = generation;
  const bidder = generationClient(gatewayUrl, generation, 'broker2');
  const anyone = generationClient(gatewayUrl, generation);

  it('answers 201 with Location, the token of the bid, and the assigned members', async () => {
    const bids = await bidsPathOfNewTender(generation);
    const answer = await bidder.post(bids, bidBody(generation, 489));
    expect(answer.status, answer.text).toBe(201);
    const { data, access } = answer.body;
    expect(answer.headers.get('location')).toBe(`${gatewayUrl}/api/${segment}${bids}/${data.id}`);
    expect(access).toEqual(generation.access);
    expect(data).toEqual(expectedBid(generation, 489));
    expect(answer.text).toContain('"amount":489.0');
  });

  it('changes neither the tender nor the feed (rulings R6)', async () => {
    const { path } = await publishTender(gatewayUrl, generation);
    const before = (await anyone.get(path)).text;
    await bidder.post(`${path}/${names.bids}`, bidBody(generation, 489));
    expect((await anyone.get(path)).text).toBe(before);
  });

  it.each([
    [
      'an amount above the value of the tender',
      { [names.value]: { amount: 501 } },
      names.value,
      ['value of bid should be less than value of tender'],
    ],
    [
      'another currency',
      { [names.value]: { amount: 1, currency: 'USD' } },
      names.value,
      ['currency of bid should be identical to currency of value of tender'],
    ],
    ['no amount', { [names.value]: {} }, names.value, { amount: ['This field is required.'] }],
    ['nobody', { [names.tenderers]: [] }, names.tenderers, ['Please provide at least 1 item.']],
    ['an unknown member', { price: 1 }, 'price', 'Rogue field'],
  ])('is refused with %s', async (_what, overrides, name, description) => {
    const answer = await bidder.post(await bidsPathOfNewTender(generation), {
      ...bidBody(generation, 489),
      ...overrides,
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ location: 'body', name, description }));
  });

  it('is refused to brokers without the level for bids', async () => {
    const bids = await bidsPathOfNewTender(generation);
    expectError(await anyone.post(bids, bidBody(generation, 1)), 401, 'Broker API key required');
    const auction = generationClient(gatewayUrl, generation, 'auction');
    expectError(await auction.post(bids, bidBody(generation, 1)), 403, 'Forbidden');
    expectError(await anyone.post(`/tenders/${'0'.repeat(32)}/${names.bids}`, {}), 404, 'Not Found');
    expectError(await bidder.request('DELETE', bids), 405, 'Method Not Allowed');
  });
});

describe.each([SEGMENT_2_3, SEGMENT_0, MIDDLE])('a bid of interface.md, generation $name', (generation) => {
  const { names } = generation;
  const bidder = generationClient(gatewayUrl, generation, 'broker2');
  const anyone = generationClient(gatewayUrl, generation);

  it('is readable by anyone in any status that is not final (rulings R3)', async () => {
    const { path, data } = await submitBidOnNewTender(generation, 489);
    expect((await anyone.get(path.slice(0, path.lastIndexOf('/')))).body).toEqual({ data: [data] });
    expect((await anyone.get(path)).body).toEqual({ data });
  });

  it('PATCH changes only the members sent, and answers the whole value', async () => {
    const { path, tokenQuery, data } = await submitBidOnNewTender(generation, 489);
    const answer = await bidder.patch(path + tokenQuery, { [names.value]: { amount: 480 } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ ...expectedBid(generation, 480), id: data.id });
    expect((await anyone.get(path)).body).toEqual(answer.body);
    expectError(await bidder.patch(path, { [names.value]: { amount: 1 } }), 403, 'Forbidden');
    expectError(await anyone.patch(path + tokenQuery, {}), 401, 'Broker API key required');
  });

  it('PATCH of its organization replaces the members sent', async () => {
    const { path, tokenQuery, data } = await submitBidOnNewTender(generation, 489);
    const [party] = data[names.tenderers];
    const renamed = { ...party, id: { ...party.id, name: 'ТОВ Папір' } };
    const answer = await bidder.patch(path + tokenQuery, { [names.tenderers]: [renamed] });
    expect([answer.status, answer.body.data[names.tenderers]]).toEqual([200, [renamed]]);
  });

  it('DELETE answers the cancelled bid; GET then answers 404', async () => {
    const { path, tokenQuery, data } = await submitBidOnNewTender(generation, 489);
    expectError(await bidder.request('DELETE', path), 403, 'Forbidden');
    const answer = await bidder.request('DELETE', path + tokenQuery);
    expect([answer.status, answer.body]).toEqual([200, { data }]);
    expectError(await anyone.get(path), 404, 'Not Found');
    expect((await anyone.get(path.slice(0, path.lastIndexOf('/')))).body).toEqual({ data: [] });
  });
});

describe('a bid of the earliest generation', () => {
  it('can be created and read, not changed; other generations read it as a bid (generations.md 6)', async () => {
    const { path, tokenQuery, data } = await submitBidOnNewTender(EARLIEST, 489);
    for (const reader of [EARLIEST, MIDDLE]) {
      expect((await generationClient(gatewayUrl, reader).get(path)).body).toEqual({ data });
    }
    const bidder = generationClient(gatewayUrl, EARLIEST, 'broker2');
    expectError(await bidder.patch(path + tokenQuery, {}), 405, 'Method Not Allowed');
  });
});

describe('guards and sealing on segment 2.5 (rulings R3, bids-awards-auction.md 1.5)', () => {
  const bidder = patientBroker(gatewayUrl, 'broker2');
  const currentClient = (key?: string) => patientBroker(gatewayUrl, key, '2.5');
  const bidsPathOfMinimalTender = async () =>
    `${(await publish(patientBroker(gatewayUrl, 'broker1'), minimalTender())).path}/bids`;

  it('refuses a bid before tendering begins', async () => {
    const bids = await bidsPathOfMinimalTender();
    const answer = await currentClient('broker2').post(bids, { tenderers: [TENDERER], value: { amount: 1 } });
    expectError(answer, 403, "Can't add bid in current (active.enquiries) tender status");
    expect((await currentClient().get(bids)).body.data).toEqual([]);
  });

  it('shows a bid to its owner only', async () => {
    const bids = await bidsPathOfMinimalTender();
    const ownBid = (await bidder.post(bids, interfaceBid(489))).body;
    const other = (await bidder.post(bids, interfaceBid(470))).body;
    const path = `${bids}/${ownBid.data.id}`;
    const sealed = "Can't view bid in current (active.enquiries) tender status";
    expectError(await currentClient().get(bids), 403, "Can't view bids in current (active.enquiries) tender status");
    expectError(await currentClient().get(path), 403, sealed);
    expectError(await currentClient().get(`${path}?acc_token=${ownBid.access.token}`), 403, sealed);
    expectError(await currentClient('broker1').get(`${path}?acc_token=${ownBid.access.token}`), 403, sealed);
    expectError(await currentClient('broker2').get(`${path}?acc_token=${other.access.token}`), 403, sealed);
    const seen = await currentClient('broker2').get(`${path}?acc_token=${ownBid.access.token}`);
    expect(seen.body.data).toMatchObject({ status: 'active', value: { amount: 489 } });
    expect(seen.text).not.toContain(ownBid.access.token);
  });
});
