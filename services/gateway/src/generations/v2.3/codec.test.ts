import type { Method } from '@procurement/contracts/api/route';
import type { Instant } from '@procurement/contracts/reading/instant';
import { toJsonText } from '@procurement/domain/json-text';
import { describe, expect, it } from 'vitest';
import { fixture, routeAt, type Json } from '../../../test-support/generations.ts';
import { codec23 } from './codec.ts';
import { codec25 } from '../v2.5/codec.ts';

const base = 'https://api.example.org';
const codec = codec23({ base, segment: '2.3' });

const encoded = (path: string, data: unknown): Json =>
  JSON.parse(codec.encodeResponse({ route: routeAt(path), status: 200, query: '' }, toJsonText({ data }))).data;

describe('codec23, responses', () => {
  it('encodes every bid of a list', () => {
    const [canonical, expected] = [fixture('bid.canonical.json'), fixture('bid.2.3.json')];
    expect(encoded('/tenders/:tender_id/bids', [canonical, canonical])).toEqual([expected, expected]);
  });

  it('keeps the spelling of numbers, in rewritten members and elsewhere', () => {
    const value = { amount: 500, currency: 'UAH' };
    const context = { route: routeAt('/tenders/:tender_id'), status: 200, query: '' };
    expect(codec.encodeResponse(context, toJsonText({ data: { value, bids: [{ value, status: 'active' }] } }))).toBe(
      '{"data":{"value":{"amount":500.0,"currency":"UAH"},"bids":[{"value":{"amount":500.0,"currency":"UAH"},"status":"registration"}]}}',
    );
    const plain = '{"data":{"value":{"amount":500.0},"title":"\\"bids\\":[","n":12345678901234567890}}';
    expect(codec.encodeResponse(context, plain)).toBe(plain);
  });

  it.each([
    '/tenders/:tender_id/contracts',
    '/tenders/:tender_id/contracts/:contract_id',
    '/contracts/:contract_id',
    '/contracts/:contract_id/credentials',
  ])('hides the scale of suppliers at %s', (path) => {
    const contract = { id: 'a', suppliers: [{ name: 'A', scale: 'micro' }], status: 'pending' };
    const shown = { ...contract, suppliers: [{ name: 'A' }] };
    expect(encoded(path, path.endsWith('contracts') ? [contract] : contract)).toEqual(
      path.endsWith('contracts') ? [shown] : shown,
    );
  });

  it('keeps the access token beside a created bid', () => {
    const context = { route: routeAt('/tenders/:tender_id/bids', 'POST'), status: 201, query: '' };
    const text = codec.encodeResponse(context, '{"access":{"token":"T"},"data":{"status":"active"}}');
    expect(text).toBe('{"access":{"token":"T"},"data":{"status":"registration"}}');
  });

  it.each([
    ['draft', 'draft'],
    ['active', 'registration'],
    ['invalid', 'invalidBid'],
    ['invalid.pre-qualification', 'invalidBid'],
    ['unsuccessful', 'invalidBid'],
    ['cancelled', 'invalidBid'],
    ['an unknown status', 'registration'],
  ])('encodes bid status %s as %s', (status, expected) => {
    expect(encoded('/tenders/:tender_id/bids/:bid_id', { status })).toEqual({ status: expected });
  });
});

describe('codec23, requests', () => {
  const decode = (method: Method, data: Json): Json =>
    codec.decodeRequest(routeAt('/tenders/:tender_id/bids', method), data, { now: 0 as Instant });

  it('passes unknown names to the service, which refuses them', () => {
    expect(decode('POST', { bidders: [], value: { amount: 1 } })).toEqual({
      data: { bidders: [], value: { amount: 1 } },
    });
  });

  it('accepts both forms in one party, with an equal value in both', () => {
    const sent = { id: { name: 'A', uid: '1' }, identifier: { id: '1', legalName: 'A Ltd' } };
    expect(decode('POST', { tenderers: [sent] }).data.tenderers).toEqual([
      { name: 'A', identifier: { id: '1', legalName: 'A Ltd', scheme: 'UA-EDR' } },
    ]);
  });

  it('converts the old name of the state register, and fills the default scheme only in a creation', () => {
    const old = { id: { name: 'A', scheme: 'https://ns.openprocurement.org/ua/edrpou' } };
    expect(decode('POST', { tenderers: [old] }).data.tenderers[0].identifier).toEqual({ scheme: 'UA-EDR' });
    expect(decode('PATCH', { tenderers: [{ id: { name: 'B' } }] }).data.tenderers).toEqual([{ name: 'B' }]);
  });

  it('refuses an unknown name inside id under that name', () => {
    expect(decode('POST', { tenderers: [{}, { id: { vat: '1' } }] }).refused.errors).toEqual([
      { location: 'body', name: 'tenderers', description: { id: { vat: 'Rogue field' } } },
    ]);
  });

  it.each([
    ['POST', 'registration', { status: 'active' }],
    ['POST', 'validBid', { status: 'active' }],
    ['POST', 'draft', { status: 'draft' }],
    ['PATCH', 'validBid', { status: 'active' }],
    ['PATCH', 'registration', {}],
  ] as const)('decodes in a %s status %s to %j', (method, status, expected) => {
    expect(decode(method, { status })).toEqual({ data: expected });
  });

  it.each(['invalidBid', 'unknown'])('refuses in a POST status %s with the statuses of the generation', (status) => {
    expect(decode('POST', { status }).refused.errors).toEqual([
      {
        location: 'body',
        name: 'status',
        description: ["Value must be one of ['registration', 'validBid', 'invalidBid']."],
      },
    ]);
  });

  it('passes new and changed tenders through', () => {
    expect(codec.passesRequestThrough(routeAt('/tenders', 'POST'))).toBe(true);
    expect(codec.passesRequestThrough(routeAt('/tenders/:tender_id', 'PATCH'))).toBe(true);
  });

  it('drops the scale of a tenderer who becomes another organization', () => {
    const stored = { tenderers: [{ name: 'A', identifier: { scheme: 'UA-EDR', id: '1' }, scale: 'micro' }] };
    const patched = (uid: string): Json =>
      codec.decodeRequest(
        routeAt('/tenders/:tender_id/bids/:bid_id', 'PATCH'),
        { tenderers: [{ id: { uid } }] },
        { now: 0 as Instant, stored },
      );
    expect(patched('2').data.tenderers).toEqual([{ identifier: { id: '2' }, scale: null }]);
    expect(patched('1').data.tenderers).toEqual([{}]);
  });
});

describe('codec23, refusals', () => {
  const refused = (errors: unknown): Json =>
    JSON.parse(
      codec.encodeResponse(
        { route: routeAt('/tenders/:tender_id/bids', 'POST'), status: 422, query: '' },
        JSON.stringify({ status: 'error', errors }),
      ),
    ).errors;

  it('blames the organization for a hidden member of its identifier', () => {
    const error = { location: 'body', name: 'tenderers', description: { identifier: { legalName: ['Too long.'] } } };
    expect(refused([error])[0].description).toEqual({ id: ['Too long.'] });
  });

  it('keeps other messages', () => {
    const errors = [{ location: 'body', name: 'value', description: { amount: ['This field is required.'] } }];
    expect(refused(errors)).toEqual(errors);
  });
});

describe('codec23, feed', () => {
  const page = (links: object): string => `{"data":[{"id":"a","dateModified":"x"}],${JSON.stringify(links).slice(1)}`;
  const feed = (text: string, query = ''): Json =>
    JSON.parse(codec.encodeResponse({ route: routeAt('/tenders'), status: 200, query }, text));
  const link = (segment: string, offset: string): object => {
    const path = `/api/${segment}/tenders?limit=2&offset=${encodeURIComponent(offset)}`;
    return { offset, path, uri: base + path };
  };

  it('encodes an offset in Unix seconds as the same instant in ISO 8601, in offsets and links', () => {
    const text = page({ next_page: link('2.5', '1779360000.396982'), prev_page: link('2.5', '1768000000.000001') });
    expect(feed(text)).toMatchObject({
      next_page: link('2.3', '2026-05-21T13:40:00.396982+03:00'),
      prev_page: link('2.3', '2026-01-10T01:06:40.000001+02:00'),
    });
  });

  it.each(['', '0006519cc3b47ab600000001a7c0ffee', '2026-01-01'])('keeps the offset %j', (offset) => {
    expect(feed(page({ next_page: link('2.5', offset) }))).toMatchObject({ next_page: link('2.3', offset) });
  });

  it('keeps an offset as the client sent it', () => {
    const text = page({ next_page: link('2.5', '1779360000.396982') });
    expect(feed(text, 'limit=2&offset=1779360000.396982').next_page.offset).toBe('1779360000.396982');
  });

  it('encodes members requested by opt_fields', () => {
    const text = `{"data":[{"id":"a","bids":[{"status":"active","value":{"amount":5.0}}]}],"next_page":{}}`;
    const context = { route: routeAt('/tenders'), status: 200, query: 'opt_fields=bids' };
    expect(codec.encodeResponse(context, text)).toContain(
      '{"id":"a","bids":[{"status":"registration","value":{"amount":5.0}}]}',
    );
  });
});

describe('codec25', () => {
  it('passes everything through on segment 2.5', () => {
    const own = codec25({ base, segment: '2.5' });
    expect(own.passesResponseThrough(routeAt('/tenders'))).toBe(true);
    expect(own.passesRequestThrough(routeAt('/tenders', 'POST'))).toBe(true);
  });

  it('rewrites links and document URLs to an alias, and nothing else', () => {
    const alias = codec25({ base, segment: '2.4' });
    const text = (segment: string): string =>
      `{"data":{"value":{"amount":5.0},"title":"${base}/api/2.5/","documents":[{"url":"${base}/api/${segment}/tenders/t/documents/d?download=k"}]}}`;
    expect(alias.encodeResponse({ route: routeAt('/tenders/:tender_id'), status: 200, query: '' }, text('2.5'))).toBe(
      text('2.4'),
    );
    const page = `{"data":[],"next_page":{"offset":"1779360000.396982","path":"/api/2.5/tenders?offset=1779360000.396982","uri":"${base}/api/2.5/tenders?offset=1779360000.396982"}}`;
    expect(alias.encodeResponse({ route: routeAt('/tenders'), status: 200, query: '' }, page)).toBe(
      page.replaceAll('/2.5/', '/2.4/'),
    );
  });
});
