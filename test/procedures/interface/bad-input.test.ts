import { describe, expect, inject, it } from 'vitest';
import { broker, type Answer } from '../../support/broker.ts';
import { interfaceTender } from '../../support/tender.ts';

const gatewayUrl = inject('gatewayUrl');

/** Every refusal of what a client sent: 4xx, the API's error shape, nothing internal in it. */
function expectRefused(answer: Answer, status: number): void {
  expect(answer.status, answer.text.slice(0, 300)).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.body.status).toBe('error');
  expect(answer.body.errors.length).toBeGreaterThan(0);
  for (const error of answer.body.errors) {
    expect(error).toEqual({ location: expect.any(String), name: expect.any(String), description: expect.anything() });
  }
  expect(answer.text).not.toMatch(/node_modules|at .*\(.*:\d+:\d+\)|prisma|postgres/i);
}

describe.each(['2.3', '2.5'])('bad input on segment %s', (segment) => {
  const owner = broker(gatewayUrl, 'broker1', segment);
  const nested = (depth: number): string => `{"data":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
  const item = { description: 'x', classification: { scheme: 'CPV', id: '44617100-9', description: 'x' } };

  it.each<[string, string | Uint8Array, number]>([
    ['text that is not JSON', 'not json', 422],
    ['an unfinished document', '{"data": {', 422],
    ['an empty body', ' ', 422],
    ['a list', '[]', 422],
    ['no data', '{}', 422],
    ['data that is a list', '{"data": []}', 422],
    ['data that is null', '{"data": null}', 422],
    ['a wrong type', JSON.stringify({ data: { ...interfaceTender(), value: 'much' } }), 422],
    ['an unknown member', JSON.stringify({ data: { ...interfaceTender(), budget: 1 } }), 422],
    ['an unknown nested member', JSON.stringify({ data: { ...interfaceTender(), value: { amount: 1, x: 1 } } }), 422],
    ['a member called __proto__', '{"data": {"__proto__": {"title": "x"}}}', 422],
    ['10,000 items', JSON.stringify({ data: { ...interfaceTender(), items: Array(10_000).fill(item) } }), 422],
    ['NUL in a string', JSON.stringify({ data: { ...interfaceTender(), title: 'a\u0000b' } }), 422],
    ['half of a surrogate pair', '{"data": {"title": "\\ud800"}}', 422],
    ['nesting beyond the limit', nested(100), 422],
    ['nesting that overflows stacks', nested(200_000), 422],
    ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 422],
    ['a number beyond doubles', '{"data": {"value": {"amount": 1e400}}}', 422],
    ['a body above the limit', `{"data": {"title": "${'x'.repeat(5 * 1024 * 1024)}"}}`, 413],
  ])('is refused on creation: %s', async (_what, raw, status) => {
    expectRefused(await owner.request('POST', '/tenders', { raw }), status);
  });

  it('is refused with another content type before anything else', async () => {
    const headers = { 'content-type': 'text/plain' };
    expectRefused(await owner.request('POST', '/tenders', { raw: 'x', headers }), 415);
    expectRefused(await broker(gatewayUrl, undefined, segment).request('POST', '/tenders', { raw: 'x', headers }), 415);
  });

  it('is refused on a change too, and the tender stays as it was', async () => {
    const { body } = await owner.post('/tenders', interfaceTender());
    const path = `/tenders/${body.data.id}?acc_token=${body.access.token}`;
    for (const data of [{ value: { amount: -1 } }, { items: [] }, { title: 'a\u0000b' }, { value: { amount: 'x' } }]) {
      expectRefused(await owner.patch(path, data), 422);
    }
    expect((await owner.get(`/tenders/${body.data.id}`)).body.data).toEqual(body.data);
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
    ['GET', '/tenders?feed=changes&offset=0', 404],
    ['GET', '/tenders/%E0%A4%A', 400],
    ['GET', `/tenders/${'x'.repeat(4000)}`, 404],
  ])('%s %.40s is refused with %d', async (method, path, status) => {
    expectRefused(await owner.request(method, path), status);
  });

  it('leaves the service up', async () => {
    expect((await owner.get('/tenders?limit=1&mode=test')).status).toBe(200);
  });
});

describe('an unknown segment', () => {
  it.each(['9.9', '2', '2.50', 'x'])('%s answers 404', async (segment) => {
    expectRefused(await broker(gatewayUrl, undefined, segment).get('/tenders'), 404);
  });
});
