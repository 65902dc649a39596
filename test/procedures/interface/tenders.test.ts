import { inject, describe, expect, it } from 'vitest';
import { broker } from '../../support/broker.ts';
import { interfaceTender } from '../../support/tender.ts';

const gatewayUrl = inject('gatewayUrl');
const owner = broker(gatewayUrl, 'broker1');
const anyone = broker(gatewayUrl, undefined);

const HEX_ID = /^[0-9a-f]{32}$/;
const SERVER_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+0[23]:00$/;

/** A tender of this test, with the token of its owner. */
async function published(): Promise<{ id: string; token: string; data: any }> {
  const { status, body } = await owner.post('/tenders', interfaceTender());
  expect(status).toBe(201);
  return { id: body.data.id, token: body.access.token, data: body.data };
}

describe('POST /tenders, as interface.md shows it', () => {
  it('answers 201 with Location, the owner token, and what the service sets', async () => {
    const answer = await owner.post('/tenders', interfaceTender());
    expect(answer.status).toBe(201);
    const { data, access } = answer.body;
    expect(answer.headers.get('location')).toBe(`${gatewayUrl}/api/2.3/tenders/${data.id}`);
    expect(access).toEqual({ token: expect.stringMatching(HEX_ID) });
    expect(data).toMatchObject({
      id: expect.stringMatching(HEX_ID),
      tenderID: expect.stringMatching(/^UA-\d{4}-\d\d-\d\d-\d{6}$/),
      dateModified: expect.stringMatching(SERVER_DATE),
      status: 'active.enquiries',
      owner: 'broker1',
      mode: 'test',
      procurementMethod: 'open',
      procurementMethodType: 'belowThreshold',
      submissionMethod: 'electronicAuction',
      awardCriteria: 'lowestCost',
    });
  });

  it('marks the titles of a test tender in each language', async () => {
    const { data } = await published();
    expect(data.title).toBe('[ТЕСТУВАННЯ] футляри до державних нагород');
    expect(data.title_en).toBe('[TESTING] Cases with state awards');
    expect(data.title_ru).toBe('[ТЕСТИРОВАНИЕ] футляры к государственным наградам');
  });

  it('returns a timestamp without offset with the local offset, and a plain date as its midnight', async () => {
    const wish = {
      ...interfaceTender(),
      enquiryPeriod: { endDate: '2031-05-10' },
      tenderPeriod: { endDate: '2031-05-20T18:00:00' },
    };
    const { body } = await owner.post('/tenders', wish);
    expect(body.data.enquiryPeriod).toEqual({
      startDate: expect.stringMatching(SERVER_DATE),
      endDate: '2031-05-10T00:00:00+03:00',
    });
    expect(body.data.tenderPeriod).toEqual({
      startDate: '2031-05-10T00:00:00+03:00',
      endDate: '2031-05-20T18:00:00+03:00',
    });
    expect(body.data.next_check).toBe('2031-05-10T00:00:00+03:00');
  });

  it('returns whole amounts with a fraction, and VAT as included when it was left out', async () => {
    const { text, body } = await owner.post('/tenders', interfaceTender());
    expect(text).toContain('"amount":500.0');
    expect(text).toContain('"amount":35.0');
    expect(text).toContain('"quantity":5,');
    expect(body.data.value).toEqual({ amount: 500, currency: 'UAH', valueAddedTaxIncluded: true });
    expect(body.data.minimalStep).toEqual({ amount: 35, currency: 'UAH', valueAddedTaxIncluded: true });
  });

  it('keeps the item ids and features that the client sent', async () => {
    const { data } = await published();
    expect(data.items[0].id).toBe('cases');
    expect(data.features.map((feature: { code: string }) => feature.code)).toEqual([
      'OCDS-123454-AIR-INTAKE',
      'OCDS-123454-YEARS',
    ]);
  });
});

describe('GET /tenders/{id} and GET /tenders', () => {
  it('show the tender to anyone, without credentials', async () => {
    const { id, data } = await published();
    const answer = await anyone.get(`/tenders/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual(data);
    const feed = await anyone.get('/tenders?mode=test&descending=1&limit=10');
    expect(feed.body.data).toContainEqual({ id, dateModified: data.dateModified });
  });

  it('indents by four spaces with opt_pretty=1', async () => {
    const { id } = await published();
    const { text, body } = await anyone.get(`/tenders/${id}?opt_pretty=1`);
    expect(text).toContain('{\n    "data": {\n        "id"');
    expect(text).toContain('"amount": 500.0');
    expect(body.data.id).toBe(id);
  });
});

describe('PATCH /tenders/{id}', () => {
  const patch = { tenderPeriod: { endDate: '2031-06-01T12:00:00' } };

  it.each([
    ['the query parameter acc_token', (token: string) => ({ query: `?acc_token=${token}`, wish: {} })],
    ['the header X-Access-Token', (token: string) => ({ query: '', wish: { headers: { 'x-access-token': token } } })],
    [
      'access.token in the body',
      (token: string) => ({ query: '', wish: { raw: JSON.stringify({ access: { token }, data: patch }) } }),
    ],
  ])('takes the owner token from %s', async (_where, way) => {
    const { id, token, data } = await published();
    const { query, wish } = way(token);
    const answer = await owner.patch(`/tenders/${id}${query}`, patch, wish);
    expect(answer.status).toBe(200);
    expect(answer.body.data.tenderPeriod.endDate).toBe('2031-06-01T12:00:00+03:00');
    expect(answer.body.data.status).toBe('active.enquiries');
    expect(answer.body.data.dateModified > data.dateModified).toBe(true);
    expect(answer.text).not.toContain(token);
  });

  it('changes only the members sent, in nested objects too', async () => {
    const { id, token, data } = await published();
    const answer = await owner.patch(`/tenders/${id}?acc_token=${token}`, { value: { amount: 600 } });
    expect(answer.body.data.value).toEqual({ ...data.value, amount: 600 });
    expect(answer.body.data).toEqual({
      ...data,
      value: { ...data.value, amount: 600 },
      dateModified: answer.body.data.dateModified,
    });
  });

  it.each([
    ['without credentials', undefined, '', 401, 'Broker API key required'],
    ['with an unknown key', 'nobody', '', 401, 'Broker API key unknown or revoked'],
    ['without the token', 'broker1', '', 403, 'Forbidden'],
    ['with a wrong token', 'broker1', '?acc_token=00000000000000000000000000000000', 403, 'Forbidden'],
  ])('is refused %s, and changes nothing', async (_how, key, query, status, description) => {
    const { id, data } = await published();
    const answer = await broker(gatewayUrl, key).patch(`/tenders/${id}${query}`, { title: 'x' });
    expect(answer.status).toBe(status);
    expect(answer.body.status).toBe('error');
    expect(answer.body.errors[0].description).toBe(description);
    expect((await anyone.get(`/tenders/${id}`)).body.data).toEqual(data);
  });

  it("is refused to another broker who has the owner's token", async () => {
    const { id, token } = await published();
    const answer = await broker(gatewayUrl, 'broker2').patch(`/tenders/${id}?acc_token=${token}`, { title: 'x' });
    expect(answer.status).toBe(403);
  });
});

describe('PUT /tenders/{id}', () => {
  it('replaces what the owner may edit', async () => {
    const { id, token } = await published();
    const { features: _gone, ...rest } = interfaceTender();
    const answer = await owner.put(`/tenders/${id}?acc_token=${token}`, { ...rest, value: { amount: 700 } });
    expect(answer.status).toBe(200);
    expect(answer.body.data.value.amount).toBe(700);
    expect(answer.body.data.features).toBeUndefined();
  });
});

describe('GET /spore', () => {
  it('describes the service', async () => {
    const { status, body } = await anyone.get('/spore');
    expect(status).toBe(200);
    expect(body.version).toBe('2.3');
    expect(body.methods.post_tenders).toMatchObject({ path: '/tenders', method: 'POST', authentication: true });
  });
});
