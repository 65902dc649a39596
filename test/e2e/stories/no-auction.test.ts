import { readFileSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker, until, type Json } from '../../support/broker.ts';
import { publish, TENDERER, type PublishedTender } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { moveClock, moveToNextCheck } from '../../support/sandbox.ts';
import { expectShownAs } from '../../support/shown-as.ts';
import { bidForLots, LOT_IDS, tenderWithLots } from './lots.ts';

const url = inject('gatewayUrl');
const client = (key: string | undefined, segment = '2.5') => patientBroker(url, key, segment);
const [buyer, seller, auction, anyone] = [client('broker1'), client('broker2'), client('auction'), client(undefined)];
const fixture: Json = JSON.parse(
  readFileSync(new URL('../../../docs/spec/contracting/no-auction.json', import.meta.url), 'utf8'),
);
const CONFIG = { hasAuction: false };

/** The body of the fixture, with the members that it leaves out. */
const body = (members: Json = {}): Json => {
  const { '…': _rest, ...sent } = fixture.create.request.data;
  return minimalTender({
    minimalStep: undefined,
    procurementMethodDetails: 'quick, accelerator=144',
    ...sent,
    ...members,
  });
};

const published = async (members: Json = {}): Promise<PublishedTender> => publish(buyer, body(members), CONFIG);
const inTendering = async (members: Json = {}): Promise<PublishedTender> => {
  const tender = await published(members);
  expect((await moveToNextCheck(buyer, tender.id)).status).toBe('active.tendering');
  return tender;
};
const bid = async ({ path }: PublishedTender, amount: number, more: Json = {}): Promise<Json> => {
  const answer = await seller.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount }, ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};

/** Every public state of a tender, once the register knows the newest. */
async function fetchHistory({ id }: PublishedTender, newest: string): Promise<readonly Json[]> {
  const list = await until('the newest state in the history', async () => {
    const { status, body: found } = await anyone.get(`/tenders/${id}/history`);
    return status === 200 && found.data.at(-1).dateModified >= newest && found.data;
  });
  return Promise.all(list.map(async ({ rev }: Json) => (await anyone.get(`/tenders/${id}/history/${rev}`)).body));
}

describe('a tender without auction (contracting.md 11)', () => {
  it('is made as the fixture says, and shows its config in every answer of segment 2.5 that shows it', async () => {
    const { request, status, expect: expected } = fixture.create;
    const sent = body();
    const made = await buyer.request('POST', '/tenders', { raw: JSON.stringify({ ...request, data: sent }) });
    expect(made.status).toBe(status);
    expectShownAs(made.body, expected);
    const path = `/tenders/${made.body.data.id}`;
    const token = `?acc_token=${made.body.access.token}`;
    const answers = [
      await anyone.get(path),
      await buyer.patch(`${path}${token}`, { title: 'Папір' }),
      await buyer.request('PATCH', `${path}${token}`, {
        raw: JSON.stringify({ config: { hasAuction: true }, data: {} }),
      }),
      await buyer.put(`${path}${token}`, { ...sent, title: 'Папір білий' }),
      await moveClock(buyer, made.body.data.id, { advance: 'PT1S' }),
      await buyer.patch(`${path}${token}&opt_dry_run=1`, { title: 'Інший' }),
      await client('chronograph').patch(path, {}),
    ];
    for (const answer of answers) expect([answer.status, answer.body.config], answer.text).toEqual([200, CONFIG]);
    for (const [segment, shown] of Object.entries(fixture.read)) {
      const read = (await client(undefined, segment).get(path)).body;
      expectShownAs(read, shown);
      expect(read.data.title).toContain('Папір білий');
    }
    const page = await anyone.get('/tenders?opt_expand=1&descending=1&limit=100&mode=_all_');
    const row = page.body.data.find(({ id }: Json) => id === made.body.data.id);
    expect(row.title).toContain('Папір білий');
    expect(row.config).toBeUndefined();
    expect(
      (await anyone.get(`/lookup?expand=1&ids=${row.id}&at_least=${encodeURIComponent(row.dateModified)}`)).text,
    ).not.toContain('config');
  });

  it.each<[string, Json]>(fixture.errors.map((one: Json) => [`${one.to} ${JSON.stringify(one.send)}`, one]))(
    'refuses %s',
    async (_what, one: Json) => {
      const { path, tokenQuery } = await published();
      const [method, target] = one.to.replace('/tenders/$tender', path).split(' ');
      const query = target === '/tenders' ? '' : tokenQuery;
      const answer = await buyer.request(method, `${target}${query}`, { raw: JSON.stringify(one.send) });
      const errors = answer.body.errors.map(({ location, name, description }: Json) => ({
        location,
        name,
        description,
      }));
      expect(answer.status).toBe(one.status);
      if (one.contains === true) expect(errors).toEqual(expect.arrayContaining(one.errors));
      else expect(errors).toEqual(one.errors);
    },
  );

  it.each([
    ['2.3', 'PATCH'],
    ['0', 'PATCH'],
    ['0.1', 'PATCH'],
  ])('refuses a step by segment %s (%s)', async (segment, method) => {
    const { path, tokenQuery } = await published();
    const refused = await client('broker1', segment).request(method, `${path}${tokenQuery}`, {
      data: { minimalStep: { amount: 5, currency: 'UAH', valueAddedTaxIncluded: true } },
    });
    expect([refused.status, refused.body.errors[0].description]).toEqual([422, ['Rogue field.']]);
  });

  it.each<[string, Json]>(
    fixture.afterTendering.map((one: Json) => [one.bids.map(({ amount }: Json) => amount).join(', ') || 'no', one]),
  )('goes on after tendering with bids of %s as the fixture says', async (_what, one: Json) => {
    const tender = await inTendering();
    const ids = new Map<string, string>();
    for (const { id, amount } of one.bids) ids.set(id, (await bid(tender, amount)).data.id);
    const ended = await moveToNextCheck(buyer, tender.id);
    expect([
      ended.status,
      (ended.awards ?? []).map((award: Json) => [award.bid_id, award.value.amount, award.status]),
    ]).toEqual([one.status, one.awards.map((award: Json) => [ids.get(award.bid_id), award.value, award.status])]);
    expect(ended.auctionPeriod).toBeUndefined();
    if (ended.status !== 'active.qualification') return;
    expect([ended.numberOfBids, ended.bids.some(({ participationUrl }: Json) => participationUrl)]).toEqual([
      one.bids.length,
      false,
    ]);
    for (const method of ['GET', 'PATCH', 'POST']) {
      for (const segment of ['2.5', '2.3']) {
        const data = method === 'GET' ? {} : { data: { bids: ended.bids.map(({ id }: Json) => ({ id })) } };
        const refused = await client('auction', segment).request(method, `${tender.path}/auction`, data);
        const isRead = method === 'GET';
        expect(refused.status, `${method} ${segment}`).toBe(403);
        if (isRead && segment === '2.5') expect(refused.body.errors).toMatchObject(fixture.auction.errors);
        else expect(refused.body.errors[0].description).toContain('in current (active.qualification) tender status');
      }
    }
  });

  it('with lots has no auction of any lot; one without bids ends, and a contract is signed as usual', async () => {
    const tender = await publish(buyer, tenderWithLots(), CONFIG);
    const { id, path, tokenQuery } = tender;
    expect([tender.data.minimalStep, tender.data.lots[0].minimalStep, tender.data.value.amount]).toEqual([
      undefined,
      undefined,
      1000,
    ]);
    await moveToNextCheck(buyer, id);
    await bidForLots(seller, path, 480);
    const best = await bidForLots(client('broker3'), path, 470);
    const ended = await moveToNextCheck(buyer, id);
    expect([ended.status, ended.lots.map(({ status }: Json) => status)]).toEqual([
      'active.qualification',
      ['active', 'unsuccessful'],
    ]);
    expect(ended.awards.map((award: Json) => [award.lotID, award.bid_id, award.value.amount])).toEqual([
      [LOT_IDS[0], best.data.id, 470],
    ]);
    expect((await buyer.patch(`${path}/awards/${ended.awards[0].id}${tokenQuery}`, { status: 'active' })).status).toBe(
      200,
    );
    const [contract] = await until('the contract', async () => (await anyone.get(path)).body.data.contracts);
    await moveClock(buyer, id, { advance: 'PT21M' });
    expect((await buyer.patch(`${path}/contracts/${contract.id}${tokenQuery}`, { status: 'active' })).status).toBe(200);
    const complete = await until('the end', async () => {
      const { data } = (await anyone.get(path)).body;
      return data.status === 'complete' && data;
    });
    const states = await fetchHistory(tender, complete.dateModified);
    expect(states.map(({ data }) => data.status)).not.toContain('active.auction');
    expect(JSON.stringify(states)).not.toMatch(/shouldStartAfter|auctionPeriod|auctionUrl|participationUrl|"config"/);
  });

  it('with features awards the best price by coefficient', async () => {
    const option = (value: number): Json => ({ value, title: String(value) });
    const features = [{ code: 'YEARS', featureOf: 'tenderer', title: 'Років', enum: [option(0), option(0.2)] }];
    const tender = await inTendering({ features });
    await bid(tender, 460, { parameters: [{ code: 'YEARS', value: 0 }] });
    const better = await bid(tender, 480, { parameters: [{ code: 'YEARS', value: 0.2 }] });
    const { awards } = await moveToNextCheck(buyer, tender.id);
    expect([awards[0].bid_id, awards[0].value.amount]).toEqual([better.data.id, 480]);
  });

  it('cancelled in tendering erases its bids', async () => {
    const tender = await inTendering();
    await bid(tender, 460);
    const cancellation = await buyer.post(`${tender.path}/cancellations${tender.tokenQuery}`, {
      reason: 'x',
      status: 'active',
    });
    expect(cancellation.status).toBe(201);
    const { body: shown } = await anyone.get(tender.path);
    expect([shown.data.status, shown.data.numberOfBids, shown.data.bids, shown.config]).toEqual([
      'cancelled',
      0,
      undefined,
      CONFIG,
    ]);
    expect((await auction.get(`${tender.path}/auction`)).status).toBe(403);
  });
});
