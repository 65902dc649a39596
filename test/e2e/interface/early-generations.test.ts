import { describe, expect, inject, it } from 'vitest';
import { patientBroker, until, type Json } from '../../support/broker.ts';
import { EARLIEST, MIDDLE, SEGMENT_0, SEGMENT_2_3, SEGMENT_2_5 } from '../../support/generations.ts';
import { PARTY } from '../../support/request-bodies.ts';
import { bidBody, expectedBid, publishTender, generationClient } from '../../support/generation-client.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { publish } from '../../support/published-tender.ts';

const gatewayUrl = inject('gatewayUrl');
/** A client of segment 0.1 that does not select a generation. */
const unmarkedClient = patientBroker(gatewayUrl, 'broker1', '0.1');
const EARLIEST_OPTIONS = { headers: EARLIEST.headers };

const ONE_OF = "Value must be one of ['middle', 'earliest'].";

describe('the generation of an answer on segment 0.1 (generations.md 2)', () => {
  it.each<[string, string, Record<string, string>, string]>([
    ['nothing', '', {}, 'middle'],
    ['the query', '?generation=earliest', {}, 'earliest'],
    ['Accept', '', EARLIEST_OPTIONS.headers, 'earliest'],
    ['both, agreeing', '?generation=earliest', EARLIEST_OPTIONS.headers, 'earliest'],
    ['the other one in the query', '?generation=middle', {}, 'middle'],
  ])('is said by %s', async (_what, query, headers, generation) => {
    const { path } = await publishTender(gatewayUrl, MIDDLE);
    const answer = await unmarkedClient.get(path + query, { headers });
    expect([answer.status, answer.headers.get('x-generation')]).toEqual([200, generation]);
    expect(answer.headers.get('vary')).toMatch(/^Accept\b/);
    const period = generation === 'middle' ? 'enquiryPeriod' : 'clarificationPeriod';
    expect(answer.body.data).toHaveProperty(period);
  });

  it.each([
    ['?generation=newest', {}, { location: 'querystring', name: 'generation', description: ONE_OF }],
    ['', { accept: 'application/json; generation=x' }, { location: 'header', name: 'Accept', description: ONE_OF }],
    [
      '?generation=middle',
      EARLIEST_OPTIONS.headers,
      { location: 'querystring', name: 'generation', description: 'Conflicts with Accept.' },
    ],
  ])('is refused when it makes no sense: %s %j', async (query, headers, error) => {
    const answer = await unmarkedClient.get(`/tenders${query}`, { headers });
    expect([answer.status, answer.body]).toEqual([400, { status: 'error', errors: [error] }]);
    expect(answer.headers.get('x-generation')).toMatch(/^(middle|earliest)$/);
  });

  it('is recognised by a body in its form; names of both generations are read', async () => {
    const { path, tokenQuery, data } = await publishTender(gatewayUrl, MIDDLE);
    const endDate = '2031-05-11T00:00:00+03:00';
    const early = await unmarkedClient.patch(path + tokenQuery, { clarificationPeriod: { endDate } });
    expect([early.status, early.headers.get('x-generation')]).toEqual([200, 'earliest']);
    expect(early.body.data.clarificationPeriod).toEqual({ ...data.enquiryPeriod, endDate });
    const mixed = await unmarkedClient.patch(path + tokenQuery, {
      clarificationPeriod: { endDate },
      minimalStep: { amount: 30 },
    });
    expect([mixed.status, mixed.headers.get('x-generation')]).toEqual([200, 'middle']);
    expect(mixed.body.data).toMatchObject({ enquiryPeriod: { endDate }, minimalStep: { amount: 30 } });
  });

  it('is the generation of refusals too', async () => {
    const { path, tokenQuery } = await publishTender(gatewayUrl, EARLIEST);
    const body = { clarificationPeriod: { endDate: 'soon' } };
    const answer = await unmarkedClient.patch(path + tokenQuery, body);
    expect([answer.status, answer.headers.get('x-generation')]).toEqual([422, 'earliest']);
    expect(answer.body.errors).toMatchObject([{ location: 'body', name: 'clarificationPeriod' }]);
    const missing = await unmarkedClient.get(`/tenders/${'0'.repeat(32)}?generation=earliest`);
    expect([missing.status, missing.headers.get('x-generation')]).toEqual([404, 'earliest']);
  });

  it('is kept in links of the list, not in addresses of objects', async () => {
    const { id } = await publishTender(gatewayUrl, MIDDLE);
    const page = (await unmarkedClient.get('/tenders?mode=_all_&descending=1&limit=100&generation=earliest')).body;
    expect(page.data.map((row: Json) => row.id)).toContain(id);
    expect(page.next_page.path).toMatch(/^\/api\/0\.1\/tenders\?.*generation=earliest/);
    expect(page.next_page.uri).toBe(gatewayUrl + page.next_page.path);
    const made = await unmarkedClient.post('/tenders?generation=earliest', EARLIEST.tender);
    expect(made.headers.get('location')).toBe(`${gatewayUrl}/api/0.1/tenders/${made.body.data.id}`);
  });

  it.each([SEGMENT_2_5, SEGMENT_2_3, SEGMENT_0])('cannot be selected on segment $name', async (generation) => {
    const { path, anyone, data } = await publishTender(gatewayUrl, generation);
    const answer = await anyone.get(`${path}?generation=newest`, EARLIEST_OPTIONS);
    expect([answer.status, answer.body.data]).toEqual([200, data]);
    expect(answer.headers.get('x-generation')).toBeNull();
  });
});

describe('one tender in two generations (generations.md 3, 5.4)', () => {
  it('each generation reads the tenders of the other, with their numbers', async () => {
    const { path } = await publishTender(gatewayUrl, EARLIEST);
    const early = (await unmarkedClient.get(path, EARLIEST_OPTIONS)).body.data;
    const middle = (await unmarkedClient.get(path)).body.data;
    const canonical = (await generationClient(gatewayUrl, SEGMENT_2_5).get(path)).body.data;
    expect(middle.tenderID).toBe(`UA-${middle.id}`);
    const [, year, sequence] = /^UA-(\d{4})-\d\d-\d\d-0*(\d+)$/.exec(canonical.tenderID) ?? [];
    expect(early.tenderID).toMatch(new RegExp(`^UA-${year}-[A-L][AB][A-Z]-0*${sequence}$`));
    // One percent of the value; the earliest generation has no such member.
    expect(middle.minimalStep).toEqual({ amount: 5, currency: 'UAH', valueAddedTaxIncluded: true });
    expect(middle.enquiryPeriod).toEqual(early.clarificationPeriod);
    expect(canonical).toMatchObject({ title: 'футляри до державних нагород', value: { amount: 500 } });
  });

  it('derived members follow the changes of the earliest generation', async () => {
    const { path, tokenQuery, owner } = await publishTender(gatewayUrl, EARLIEST);
    const endDate = '2031-05-12T00:00:00+03:00';
    await owner.patch(path + tokenQuery, { clarificationPeriod: { endDate }, totalValue: { currency: 'USD' } });
    const { tenderPeriod, minimalStep } = (await unmarkedClient.get(path)).body.data;
    expect([tenderPeriod.startDate, minimalStep.currency]).toEqual([endDate, 'USD']);
  });

  it('a write of the middle generation keeps members of newer generations', async () => {
    const newer = await publishTender(gatewayUrl, SEGMENT_2_3);
    const { path, tokenQuery } = newer;
    const seen = (await unmarkedClient.get(path)).body.data;
    const written = await unmarkedClient.put(path + tokenQuery, {
      ...seen,
      deliveryDate: { endDate: '2031-07-12T12:00:00' },
    });
    expect([written.status, written.body.data.deliveryDate]).toEqual([200, { endDate: '2031-07-12T12:00:00+03:00' }]);
    const after = (await newer.anyone.get(path)).body.data;
    const [item] = newer.data.items;
    const deliveryDate = { ...item.deliveryDate, endDate: '2031-07-12T12:00:00+03:00' };
    expect(after).toEqual({ ...newer.data, items: [{ ...item, deliveryDate }], dateModified: after.dateModified });
  });
});

describe('a tender of segment 0.1 without required members (generations.md 5.7)', () => {
  it.each([MIDDLE, EARLIEST])(
    'is published, answered, and completed by a PATCH, generation $name',
    async (generation) => {
      const owner = generationClient(gatewayUrl, generation, 'broker1');
      const { names, tender, shown } = generation;
      const { id, path, tokenQuery, data } = await publish(owner, {});
      const { [names.enquiryPeriod]: period } = shown;
      const { tenderID, [names.modified]: modified, status } = shown;
      const begun = { [names.enquiryPeriod]: { startDate: period.startDate } };
      expect(data).toEqual({ id, tenderID, [names.modified]: modified, status, ...begun });
      expect((await owner.get(path)).body.data).toEqual(data);
      for (const reader of [SEGMENT_2_5, SEGMENT_2_3, SEGMENT_0]) {
        expect((await generationClient(gatewayUrl, reader).get(path)).body.data).toMatchObject({
          id,
          status: 'active.enquiries',
        });
      }
      const completed = await owner.patch(path + tokenQuery, tender);
      expect([completed.status, completed.body.data]).toEqual([200, shown]);
      const now = (await generationClient(gatewayUrl, SEGMENT_2_5).get(path)).body.data;
      expect(now).toMatchObject({ title: 'футляри до державних нагород', next_check: '2031-05-10T00:00:00+03:00' });
    },
  );

  it('accepts bids, an award and auction results without a value', async () => {
    const [owner, anyone] = [generationClient(gatewayUrl, MIDDLE, 'broker1'), generationClient(gatewayUrl, MIDDLE)];
    const { path, tokenQuery } = await publish(owner, {});
    const bid = await generationClient(gatewayUrl, MIDDLE, 'broker2').post(`${path}/bidders`, bidBody(MIDDLE, 489));
    expect([bid.status, bid.body.data]).toEqual([201, expectedBid(MIDDLE, 489)]);
    const { body } = await anyone.get(`${path}/auction`);
    expect(body.data).toMatchObject({ bids: [MIDDLE.auctionBidShown(489)] });
    const award = { awardStatus: 'active', suppliers: [PARTY], awardValue: { amount: 1 } };
    expect((await owner.post(`${path}/awards${tokenQuery}`, award)).status).toBe(201);
  });

  it('goes to its contract with periods only', async () => {
    const owner = generationClient(gatewayUrl, MIDDLE, 'broker1');
    const client25 = generationClient(gatewayUrl, SEGMENT_2_5, 'broker1');
    const { id, path, tokenQuery } = await publish(owner, {});
    const { enquiryPeriod, tenderPeriod } = MIDDLE.tender;
    expect((await owner.patch(path + tokenQuery, { enquiryPeriod, tenderPeriod })).status).toBe(200);
    expect((await moveToNextCheck(client25, id)).status).toBe('active.tendering');
    for (const [key, sum] of [
      ['broker2', 489],
      ['broker3', 470],
    ] as const) {
      const bid = await generationClient(gatewayUrl, MIDDLE, key).post(`${path}/bidders`, bidBody(MIDDLE, sum));
      expect(bid.status, bid.text).toBe(201);
    }
    await until('a place in the plan', async () => (await client25.get(path)).body.data.auctionPeriod?.startDate);
    expect((await moveToNextCheck(client25, id)).status).toBe('active.auction');
    const reported = await generationClient(gatewayUrl, SEGMENT_2_5, 'auction').post(`${path}/auction`, {
      bids: [{ value: { amount: 400 } }, { value: { amount: 390 } }],
    });
    expect(reported.body.data).toMatchObject({ status: 'active.qualification', awards: [{ value: { amount: 390 } }] });
    expect((await owner.get(path)).body.data).toMatchObject({
      status: 'active.qualification',
      bidders: [{ totalValue: { amount: 400 } }, { totalValue: { amount: 390 } }],
      awards: [{ awardStatus: 'pending', awardValue: { amount: 390 } }],
    });
    const [award] = reported.body.data.awards;
    expect((await client25.patch(`${path}/awards/${award.id}${tokenQuery}`, { status: 'active' })).status).toBe(200);
    expect((await client25.get(`${path}/contracts`)).body.data).toMatchObject([{ awardID: award.id }]);
  });

  it.each([SEGMENT_2_5, SEGMENT_2_3, SEGMENT_0])(
    'is refused on segment $name, with an error for each member',
    async (generation) => {
      const answer = await generationClient(gatewayUrl, generation, 'broker1').post('/tenders', {});
      expect(answer.status).toBe(422);
      const names = answer.body.errors.map(({ name }: { name: string }) => name);
      expect(names).toEqual(
        expect.arrayContaining(['procuringEntity', 'value', 'enquiryPeriod', 'tenderPeriod', 'items']),
      );
    },
  );
});

describe('segment 0.2, an alias of 0.1', () => {
  it('is kept in addresses', async () => {
    const alias = patientBroker(gatewayUrl, 'broker1', '0.2');
    const answer = await alias.post('/tenders', MIDDLE.tender);
    expect([answer.status, answer.body.data]).toEqual([201, MIDDLE.shown]);
    expect(answer.headers.get('location')).toBe(`${gatewayUrl}/api/0.2/tenders/${answer.body.data.id}`);
    expect((await alias.get('/tenders?mode=_all_')).body.next_page.path).toMatch(/^\/api\/0\.2\//);
  });
});
