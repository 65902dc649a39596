import { describe, expect, inject, it } from 'vitest';
import { patientBroker, type ApiResponse } from '../../support/broker.ts';
import { GENERATIONS, MIDDLE, SEGMENT_0, SEGMENT_2_3, SEGMENT_2_5 } from '../../support/generations.ts';
import { publishTender, generationClient } from '../../support/generation-client.ts';

const gatewayUrl = inject('gatewayUrl');

/** Every refusal is 4xx with the error shape of the API and nothing internal. */
function expectRefused(answer: ApiResponse, status: number): void {
  expect(answer.status, answer.text.slice(0, 300)).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.body.status).toBe('error');
  expect(answer.body.errors.length).toBeGreaterThan(0);
  for (const { code, link, pointer, ...others } of answer.body.errors) {
    const classic = Object.entries(others).filter(([name]) => code === undefined || !name.startsWith('allowed'));
    expect(Object.fromEntries(classic)).toEqual({
      location: expect.any(String),
      name: expect.any(String),
      description: expect.anything(),
    });
    if (code !== undefined) expect(link).toBe(`/docs/errors#${code}`);
    else expect([link, pointer]).toEqual([undefined, undefined]);
  }
  expect(answer.text).not.toMatch(/node_modules|at .*\(.*:\d+:\d+\)|prisma|postgres/i);
}

describe.each(GENERATIONS)('bad input, generation $name', (generation) => {
  const { names, tender } = generation;
  const owner = generationClient(gatewayUrl, generation, 'broker1');
  const nested = (depth: number): string => `{"data":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
  const { description, classification, primaryClassification } = tender[names.items][0];
  const small = { description, classification, primaryClassification };
  const sent = (overrides: object): string => JSON.stringify({ data: { ...tender, ...overrides } });

  it.each<[string, string | Uint8Array, number]>([
    ['text that is not JSON', 'not json', 422],
    ['an unfinished document', '{"data": {', 422],
    ['an empty body', ' ', 422],
    ['a list', '[]', 422],
    ['no data', '{}', 422],
    ['data that is a list', '{"data": []}', 422],
    ['data that is null', '{"data": null}', 422],
    ['a wrong type', sent({ [names.value]: 'much' }), 422],
    ['an unknown member', sent({ budget: 1 }), 422],
    ['an unknown nested member', sent({ [names.value]: { amount: 1, x: 1 } }), 422],
    ['a member called __proto__', '{"data": {"__proto__": {"title": "x"}}}', 422],
    ['10,000 items', sent({ [names.items]: Array(10_000).fill(small) }), 422],
    ['NUL in a string', sent({ title: 'a\u0000b' }), 422],
    ['half of a surrogate pair', '{"data": {"title": "\\ud800"}}', 422],
    ['nesting beyond the limit', nested(100), 422],
    ['nesting that overflows stacks', nested(200_000), 422],
    ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 422],
    ['a number beyond doubles', `{"data": {"${names.value}": {"amount": 1e400}}}`, 422],
    ['a body above the limit', `{"data": {"title": "${'x'.repeat(5 * 1024 * 1024)}"}}`, 413],
  ])('is refused on creation: %s', async (_what, raw, status) => {
    expectRefused(await owner.request('POST', '/tenders', { raw }), status);
  });

  it('is explained on 2.5 only (http.md 4.6)', async () => {
    const [error] = (await owner.request('POST', '/tenders', { raw: 'not json' })).body.errors;
    expect('code' in error).toBe(generation.segment === '2.5');
  });

  it('is refused first for another content type', async () => {
    const headers = { 'content-type': 'text/plain' };
    expectRefused(await owner.request('POST', '/tenders', { raw: 'x', headers }), 415);
    const anyone = generationClient(gatewayUrl, generation);
    expectRefused(await anyone.request('POST', '/tenders', { raw: 'x', headers }), 415);
  });

  it('is refused in a PATCH too, with the names of the generation, and the tender does not change', async () => {
    const { path, tokenQuery, data } = await publishTender(gatewayUrl, generation);
    for (const [name, value] of [
      [names.value, { amount: -1 }],
      [names.value, { amount: 'x' }],
      [names.items, []],
      [names.enquiryPeriod, { endDate: 'soon' }],
      ['title', 'a\u0000b'],
    ] as const) {
      const answer = await owner.patch(path + tokenQuery, { [name]: value });
      expectRefused(answer, 422);
      expect(answer.body.errors[0]).toMatchObject({ location: 'body', name });
    }
    expect((await owner.get(path)).body.data).toEqual(data);
  });

  it.each([
    ['GET', '/tenders/unknown', 404],
    ['GET', `/tenders/${'0'.repeat(32)}`, 404],
    ['PATCH', `/tenders/${'0'.repeat(32)}`, 404],
    ['DELETE', `/tenders/${'0'.repeat(32)}`, 404],
    ['DELETE', '/tenders', 405],
    ['GET', '/nothing', 404],
    ['GET', '/tenders/', 404],
    ['GET', '/tenders?offset=yesterday', 404],
    ['GET', '/tenders?feed=changes&offset=x', 404],
    ['GET', '/tenders/%E0%A4%A', 400],
    ['GET', `/tenders/${'x'.repeat(4000)}`, 404],
  ])('%s %.40s is refused with %d', async (method, path, status) => {
    expectRefused(await owner.request(method, path), status);
  });

  it.each([undefined, 'unknown-key'])(
    'answers a write with key %s by 401 with a challenge (rulings R1)',
    async (key) => {
      const answer = await generationClient(gatewayUrl, generation, key).post('/tenders', tender);
      expectRefused(answer, 401);
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="tenders", charset="UTF-8"');
    },
  );

  it('does not stop the service', async () => {
    expect((await owner.get('/tenders?limit=1&mode=test')).status).toBe(200);
  });
});

describe('names of another generation (generations.md 5.3)', () => {
  it.each([
    [SEGMENT_2_5, 'totalValue'],
    [SEGMENT_2_3, 'totalValue'],
    [SEGMENT_0, 'totalValue'],
    [SEGMENT_2_3, 'deliveryDate'],
  ])('are unknown on segment $name: %s', async (generation, name) => {
    const body = { ...generation.tender, [name]: { endDate: '2031-07-10' } };
    const answer = await generationClient(gatewayUrl, generation, 'broker1').post('/tenders', body);
    expectRefused(answer, 422);
    expect(answer.body.errors).toMatchObject([{ location: 'body', name, description: 'Rogue field' }]);
  });

  it('are accepted on segment 0.1 if they do not contradict each other', async () => {
    const { path, tokenQuery, owner } = await publishTender(gatewayUrl, MIDDLE);
    const same = await owner.patch(path + tokenQuery, { value: { amount: 600 } });
    expect([same.status, same.body.data.totalValue.amount]).toEqual([200, 600]);
    const both = await owner.patch(path + tokenQuery, { value: { amount: 700 }, totalValue: { amount: 800 } });
    expectRefused(both, 422);
    expect(both.body.errors).toEqual([{ location: 'body', name: 'totalValue', description: ['Conflicting values'] }]);
  });
});

describe('an unknown segment', () => {
  it.each(['9.9', '2', '2.50', 'x'])('%s answers 404', async (segment) => {
    expectRefused(await patientBroker(gatewayUrl, undefined, segment).get('/tenders'), 404);
  });
});
