import { readFileSync } from 'node:fs';
import type { Method, RouteContract } from '@procurement/contracts/api/route';
import type { Instant } from '@procurement/contracts/reading/instant';
import { toJsonText } from '@procurement/domain/json-text';
import { describe, expect, it } from 'vitest';
import { codec23 } from './codec.ts';
import { codec25 } from '../v2.5/codec.ts';

// Fixtures are part of the specification; their shapes are what the tests state.
type Json = any;

const base = 'https://api.example.org';
const codec = codec23({ base, segment: '2.3' });

const fixture = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8'));

const route = (path: string, method: Method = 'GET'): RouteContract => ({
  name: 'x',
  method,
  path,
  owner: 'tenders',
  spore: 'x',
  summary: '',
  segments: ['2.5', '2.3'],
  responses: {},
});
const encoded = (path: string, data: unknown): Json =>
  JSON.parse(codec.encodeResponse({ route: route(path), status: 200, query: '' }, toJsonText({ data }))).data;

describe('answers on segment 2.3', () => {
  it('shows a list of bids, and a lone bid, alike', () => {
    const [canonical, expected] = [fixture('bid.canonical.json'), fixture('bid.2.3.json')];
    expect(encoded('/tenders/:tender_id/bids', [canonical, canonical])).toEqual([expected, expected]);
  });

  it('keeps fractions, in what it maps and in what it does not', () => {
    const value = { amount: 500, currency: 'UAH' };
    const answer = { route: route('/tenders/:tender_id'), status: 200, query: '' };
    expect(codec.encodeResponse(answer, toJsonText({ data: { value, bids: [{ value, status: 'active' }] } }))).toBe(
      '{"data":{"value":{"amount":500.0,"currency":"UAH"},"bids":[{"value":{"amount":500.0,"currency":"UAH"},"status":"registration"}]}}',
    );
    const plain = '{"data":{"value":{"amount":500.0},"title":"\\"bids\\":[","n":12345678901234567890}}';
    expect(codec.encodeResponse(answer, plain)).toBe(plain);
  });

  it('keeps the token of a created bid beside it', () => {
    const answer = { route: route('/tenders/:tender_id/bids', 'POST'), status: 201, query: '' };
    const text = codec.encodeResponse(answer, '{"access":{"token":"T"},"data":{"status":"active"}}');
    expect(text).toBe('{"access":{"token":"T"},"data":{"status":"registration"}}');
  });

  it.each([
    ['draft', 'draft'],
    ['active', 'registration'],
    ['invalid', 'invalidBid'],
    ['invalid.pre-qualification', 'invalidBid'],
    ['unsuccessful', 'invalidBid'],
    ['cancelled', 'invalidBid'],
    ['a word of a later release', 'registration'],
  ])('shows bid status %s as %s', (status, expected) => {
    expect(encoded('/tenders/:tender_id/bids/:bid_id', { status })).toEqual({ status: expected });
  });
});

describe('requests on segment 2.3', () => {
  const read = (method: Method, data: Json): Json =>
    codec.decodeRequest(route('/tenders/:tender_id/bids', method), data, { now: 0 as Instant });

  it('leaves names that no generation knows for the service to refuse', () => {
    expect(read('POST', { bidders: [], value: { amount: 1 } })).toEqual({
      data: { bidders: [], value: { amount: 1 } },
    });
  });

  it('takes both spellings in one party, the equal ones once', () => {
    const sent = { id: { name: 'A', uid: '1' }, identifier: { id: '1', legalName: 'A Ltd' } };
    expect(read('POST', { tenderers: [sent] }).data.tenderers).toEqual([
      { name: 'A', identifier: { id: '1', legalName: 'A Ltd', scheme: 'UA-EDR' } },
    ]);
  });

  it('reads the old address of the state register, and adds its code only on creation', () => {
    const old = { id: { name: 'A', scheme: 'https://ns.openprocurement.org/ua/edrpou' } };
    expect(read('POST', { tenderers: [old] }).data.tenderers[0].identifier).toEqual({ scheme: 'UA-EDR' });
    expect(read('PATCH', { tenderers: [{ id: { name: 'B' } }] }).data.tenderers).toEqual([{ name: 'B' }]);
  });

  it('refuses an unknown name inside id by its own name', () => {
    expect(read('POST', { tenderers: [{}, { id: { vat: '1' } }] }).refused.errors).toEqual([
      { location: 'body', name: 'tenderers', description: { id: { vat: 'Rogue field' } } },
    ]);
  });

  it.each([
    ['POST', 'registration', { status: 'active' }],
    ['POST', 'validBid', { status: 'active' }],
    ['POST', 'draft', { status: 'draft' }],
    ['PATCH', 'validBid', { status: 'active' }],
    ['PATCH', 'registration', {}],
  ] as const)('%s reads status %s as %j', (method, status, expected) => {
    expect(read(method, { status })).toEqual({ data: expected });
  });

  it.each(['invalidBid', 'unknown'])('POST refuses status %s in the words of the generation', (status) => {
    expect(read('POST', { status }).refused.errors).toEqual([
      {
        location: 'body',
        name: 'status',
        description: ["Value must be one of ['registration', 'validBid', 'invalidBid']."],
      },
    ]);
  });

  it('does not touch tenders', () => {
    expect(codec.passesRequestThrough(route('/tenders', 'POST'))).toBe(true);
  });
});

describe('refusals on segment 2.3', () => {
  const refused = (errors: unknown): Json =>
    JSON.parse(
      codec.encodeResponse(
        { route: route('/tenders/:tender_id/bids', 'POST'), status: 422, query: '' },
        JSON.stringify({ status: 'error', errors }),
      ),
    ).errors;

  it('blames the organization for a part of its identifier that it does not show', () => {
    const error = { location: 'body', name: 'tenderers', description: { identifier: { legalName: ['Too long.'] } } };
    expect(refused([error])[0].description).toEqual({ id: ['Too long.'] });
  });

  it('leaves other messages alone', () => {
    const errors = [{ location: 'body', name: 'value', description: { amount: ['This field is required.'] } }];
    expect(refused(errors)).toEqual(errors);
  });
});

describe('the feed on segment 2.3', () => {
  const page = (links: object): string => `{"data":[{"id":"a","dateModified":"x"}],${JSON.stringify(links).slice(1)}`;
  const feed = (text: string, query = ''): Json =>
    JSON.parse(codec.encodeResponse({ route: route('/tenders'), status: 200, query }, text));
  const link = (segment: string, offset: string): object => {
    const path = `/api/${segment}/tenders?limit=2&offset=${encodeURIComponent(offset)}`;
    return { offset, path, uri: base + path };
  };

  it('gives unix seconds as ISO text of the same instant, in the offset and in its links', () => {
    const text = page({ next_page: link('2.5', '1779360000.396982'), prev_page: link('2.5', '1768000000.000001') });
    expect(feed(text)).toMatchObject({
      next_page: link('2.3', '2026-05-21T13:40:00.396982+03:00'),
      prev_page: link('2.3', '2026-01-10T01:06:40.000001+02:00'),
    });
  });

  it.each(['', '0006519cc3b47ab600000001a7c0ffee', '2026-01-01'])('keeps the offset %j', (offset) => {
    expect(feed(page({ next_page: link('2.5', offset) }))).toMatchObject({ next_page: link('2.3', offset) });
  });

  it('repeats an offset as the client sent it', () => {
    const text = page({ next_page: link('2.5', '1779360000.396982') });
    expect(feed(text, 'limit=2&offset=1779360000.396982').next_page.offset).toBe('1779360000.396982');
  });

  it('maps what opt_fields embeds', () => {
    const text = `{"data":[{"id":"a","bids":[{"status":"active","value":{"amount":5.0}}]}],"next_page":{}}`;
    const answer = codec.encodeResponse({ route: route('/tenders'), status: 200, query: 'opt_fields=bids' }, text);
    expect(answer).toContain('{"id":"a","bids":[{"status":"registration","value":{"amount":5.0}}]}');
  });
});

describe('segment 2.5', () => {
  it('passes everything through', () => {
    const own = codec25({ base, segment: '2.5' });
    expect(own.passesResponseThrough(route('/tenders'))).toBe(true);
    expect(own.passesRequestThrough(route('/tenders', 'POST'))).toBe(true);
  });

  it('keeps an alias as sent in links and document addresses, and nothing else', () => {
    const alias = codec25({ base, segment: '2.4' });
    const text = (segment: string): string =>
      `{"data":{"value":{"amount":5.0},"title":"${base}/api/2.5/","documents":[{"url":"${base}/api/${segment}/tenders/t/documents/d?download=k"}]}}`;
    expect(alias.encodeResponse({ route: route('/tenders/:tender_id'), status: 200, query: '' }, text('2.5'))).toBe(
      text('2.4'),
    );
    const page = `{"data":[],"next_page":{"offset":"1779360000.396982","path":"/api/2.5/tenders?offset=1779360000.396982","uri":"${base}/api/2.5/tenders?offset=1779360000.396982"}}`;
    expect(alias.encodeResponse({ route: route('/tenders'), status: 200, query: '' }, page)).toBe(
      page.replaceAll('/2.5/', '/2.4/'),
    );
  });
});
