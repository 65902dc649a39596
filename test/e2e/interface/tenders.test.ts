import { describe, expect, inject, it } from 'vitest';
import { GENERATIONS, SEGMENT_0, SEGMENT_2_3, SEGMENT_2_5, type Generation } from '../../support/generations.ts';
import { publishTender, generationClient } from '../../support/generation-client.ts';
import { publish } from '../../support/published-tender.ts';

const gatewayUrl = inject('gatewayUrl');

const publishFresh = async (generation: Generation) => publishTender(gatewayUrl, generation);

describe.each(GENERATIONS)('tenders of interface.md, generation $name', (generation) => {
  const { segment, names, tender, shown } = generation;
  const owner = generationClient(gatewayUrl, generation, 'broker1');
  const anyone = generationClient(gatewayUrl, generation);

  it('POST answers 201 with Location, the owner token, and the whole tender', async () => {
    const answer = await owner.post('/tenders', tender);
    expect(answer.status, answer.text).toBe(201);
    const { data, access } = answer.body;
    expect(answer.headers.get('location')).toBe(`${gatewayUrl}/api/${segment}/tenders/${data.id}`);
    expect(access).toEqual(generation.access);
    expect(data).toEqual(shown);
    // Amounts are written with a fraction, quantities without; parsing would hide that.
    expect(answer.text).toContain('"amount":500.0,');
    expect(answer.text).toMatch(/"quantity":5[,}]/);
  });

  it('GET answers without credentials, and indented with opt_pretty', async () => {
    const { path, data } = await publishFresh(generation);
    const read = await anyone.get(path);
    expect([read.status, read.body.data]).toEqual([200, data]);
    const pretty = await anyone.get(`${path}?opt_pretty=1`);
    expect(pretty.text).toContain('{\n    "data": {\n        "id"');
    expect(pretty.text).toContain('"amount": 500.0');
    expect(pretty.body).toEqual(read.body);
  });

  it('GET of the list contains its id and dateModified', async () => {
    const { id, data } = await publishFresh(generation);
    const list = await anyone.get('/tenders?mode=_all_&descending=1&limit=100');
    expect(list.status).toBe(200);
    expect(list.body.data).toContainEqual({ id, [names.modified]: data[names.modified] });
  });

  it.each([
    ['the query parameter acc_token', (token: string) => ({ query: `?acc_token=${token}`, headers: {}, body: {} })],
    ['the header X-Access-Token', (token: string) => ({ query: '', headers: { 'x-access-token': token }, body: {} })],
    ['access.token in the body', (token: string) => ({ query: '', headers: {}, body: { access: { token } } })],
  ])('PATCH takes the owner token from %s', async (_where, way) => {
    const { path, token, data } = await publishFresh(generation);
    const { query, headers, body } = way(token);
    const sentBody = { ...body, data: { tenderPeriod: { endDate: '2031-06-01T12:00:00' } } };
    const answer = await owner.request('PATCH', path + query, { raw: JSON.stringify(sentBody), headers });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data.tenderPeriod).toEqual({ ...data.tenderPeriod, endDate: '2031-06-01T12:00:00+03:00' });
    expect(answer.body.data.status).toBe('active.enquiries');
    expect(answer.body.data[names.modified] > data[names.modified]).toBe(true);
    expect(answer.text).not.toContain(token);
  });

  it('PUT accepts the owner token in the body', async () => {
    const { path, token } = await publishFresh(generation);
    const sentBody = { access: { token }, data: { ...tender, [names.value]: { amount: 700 } } };
    const answer = await owner.request('PUT', path, { raw: JSON.stringify(sentBody) });
    expect([answer.status, answer.body.data[names.value].amount]).toEqual([200, 700]);
  });

  it('PATCH changes only the members sent, in nested objects too', async () => {
    const { path, tokenQuery, data } = await publishFresh(generation);
    const answer = await owner.patch(path + tokenQuery, { [names.value]: { amount: 600 } });
    expect(answer.status).toBe(200);
    const { [names.modified]: modified, ...changed } = answer.body.data;
    const { [names.modified]: before, ...rest } = data;
    expect(changed).toEqual({ ...rest, [names.value]: { ...data[names.value], amount: 600 } });
    expect(modified > before).toBe(true);
    expect((await anyone.get(path)).body.data).toEqual(answer.body.data);
  });

  it('PATCH with an empty body answers 200 and changes nothing', async () => {
    const { path, tokenQuery, data } = await publishFresh(generation);
    const answer = await owner.patch(path + tokenQuery, {});
    expect([answer.status, answer.body.data]).toEqual([200, data]);
  });

  it('PUT replaces the members that the segment has', async () => {
    const { path, tokenQuery, data } = await publishFresh(generation);
    const [item] = tender[names.items];
    const { additionalClassifications: _gone, additionalClassification: _goneToo, ...plain } = item;
    const answer = await owner.put(path + tokenQuery, { ...tender, [names.items]: [{ ...plain, quantity: 6 }] });
    expect(answer.status, answer.text).toBe(200);
    const [replaced] = answer.body.data[names.items];
    expect(replaced.quantity).toBe(6);
    expect(replaced).not.toHaveProperty('additionalClassifications');
    expect(replaced).not.toHaveProperty('additionalClassification');
    expect(answer.body.data[names.enquiryPeriod]).toEqual(data[names.enquiryPeriod]);
  });

  it.each([
    ['without credentials', undefined, '', 401, 'Broker API key required'],
    ['with an unknown key', 'nobody', '', 401, 'Broker API key unknown or revoked'],
    ['without the token', 'broker1', '', 403, 'Forbidden'],
    ['with a wrong token', 'broker1', '?acc_token=00000000000000000000000000000000', 403, 'Forbidden'],
  ])('PATCH is refused %s, and changes nothing', async (_how, key, query, status, description) => {
    const { path, data } = await publishFresh(generation);
    const answer = await generationClient(gatewayUrl, generation, key).patch(path + query, {
      [names.value]: { amount: 1 },
    });
    expect(answer.status).toBe(status);
    expect(answer.body.status).toBe('error');
    expect(answer.body.errors[0].description).toBe(description);
    expect((await anyone.get(path)).body.data).toEqual(data);
  });

  it("PATCH is refused to another broker with the owner's token", async () => {
    const { path, tokenQuery } = await publishFresh(generation);
    const answer = await generationClient(gatewayUrl, generation, 'broker2').patch(path + tokenQuery, {});
    expect(answer.status).toBe(403);
  });

  it('GET /spore describes the service', async () => {
    const { status, body } = await anyone.get('/spore');
    expect(status).toBe(200);
    expect(body.version).toBe(segment);
    expect(body.methods.post_tenders).toMatchObject({ path: '/tenders', method: 'POST', authentication: true });
    const paths = Object.values<{ path: string }>(body.methods).map((method) => method.path);
    expect(paths).toContain(`/tenders/:tender_id/${names.bids}`);
    expect(paths).not.toContain(`/tenders/:tender_id/${names.bids === 'bids' ? 'bidders' : 'bids'}`);
  });
});

describe.each([SEGMENT_2_5, SEGMENT_2_3])('generation $name, which shows all of a tender', (generation) => {
  it('PUT removes the members that are not sent', async () => {
    const { path, tokenQuery, owner } = await publishFresh(generation);
    const { features: _gone, ...rest } = generation.tender;
    const answer = await owner.put(path + tokenQuery, rest);
    expect([answer.status, answer.body.data.features]).toEqual([200, undefined]);
  });
});

describe('segment 0, with fewer fields of a tender (generations.md 3.1, 5.2)', () => {
  const owner = generationClient(gatewayUrl, SEGMENT_0, 'broker1');

  it('keeps the members that it does not have, after a PUT too', async () => {
    const { path, tokenQuery } = await publish(owner, { ...SEGMENT_0.tender, description: 'футляри' });
    const whole = async () => (await generationClient(gatewayUrl, SEGMENT_2_3).get(path)).body.data;
    const { features } = SEGMENT_0.tender;
    expect(await whole()).toMatchObject({ mode: 'test', features, description: 'футляри' });
    const { features: _features, mode: _mode, ...rest } = SEGMENT_0.tender;
    const replaced = await owner.put(path + tokenQuery, rest);
    expect([replaced.status, replaced.body.data.description]).toEqual([200, undefined]);
    expect(await whole()).toMatchObject({ mode: 'test', features });
  });
});
