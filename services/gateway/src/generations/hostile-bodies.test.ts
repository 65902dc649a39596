import { describe, expect, it } from 'vitest';
import { expectCheap } from '../../test-support/hostile-bodies.ts';
import { codecOf, decodeRequest, fixture, generations, routeOf, type Json } from '../../test-support/generations.ts';
import { COMMAS_MAX } from '@procurement/kit/http/body';
import { FAULTS_MAX, LIST_MAX } from './bounds.ts';

/** An object with as many different names as a body of JSON may have. */
const manyNames = (value: Json): Json =>
  Object.fromEntries(Array.from({ length: COMMAS_MAX }, (_, at) => [`x${at}`, value]));
const list = (length: number, element: (at: number) => Json): Json => Array.from({ length }, (_, at) => element(at));

const item = (at: number): Json => ({
  description: `item ${at}`,
  primaryClassification: { scheme: 'CPV', id: String(at) },
  additionalClassification: list(10, (n) => ({ scheme: 'X', id: `${at}-${n}`, description: 'd' })),
});

/** What a broker may send to make a codec slow: unknown names, long lists, lists that are compared with stored ones. */
const HOSTILE: readonly (readonly [string, string, Json])[] = [
  ['tender', 'unknown names', manyNames(0)],
  ['tender', 'unknown names in an item', { items: [manyNames(0)], itemsToBeProcured: [manyNames(1)] }],
  ['tender', 'a list of empty items', { itemsToBeProcured: list(COMMAS_MAX, () => ({})) }],
  ['tender', 'the longest list of items', { itemsToBeProcured: list(LIST_MAX, item) }],
  ['tender', 'nulls in a unit', { itemsToBeProcured: [{ unitOfMeasure: manyNames(null) }] }],
  ['bid', 'unknown names in an id', { tenderers: [{ id: manyNames(0) }], bidders: [{ id: manyNames(0) }] }],
  ['bid', 'a list of parties', { tenderers: list(COMMAS_MAX, () => ({ id: {} })) }],
  ['award', 'a list of suppliers', { suppliers: list(COMMAS_MAX, () => ({ id: { name: 'A' } })) }],
  ['auction', 'a list of bids', { bids: list(COMMAS_MAX, () => ({ amount: 5 })), bidders: [] }],
];

const stored: Json = {
  ...fixture('tender.canonical.json'),
  items: list(LIST_MAX, (at) => ({ id: String(at), description: `stored ${at}`, additionalClassifications: [] })),
};

describe.each(generations)('issue 14 S4: on %s a codec takes less than 100 ms of a quiet processor', (generation) => {
  it.each(HOSTILE)('to decode a %s with %s', (resource, _what, data) => {
    for (const method of ['POST', 'PATCH', 'PUT'] as const) {
      const context = method === 'POST' || resource !== 'tender' ? {} : { stored };
      expectCheap(() => decodeRequest(generation, resource, method, data, context));
    }
  });

  it.each(HOSTILE)('to encode the refusal of a %s with %s', (resource, _what, data) => {
    const names = Object.keys(data);
    const entry = (name: string): Json => ({ location: 'body', name, description: 'Rogue field' });
    const itemFaults = list(2_000, () => ({ relatedLot: ['x'], unit: { name: ['y'] }, deliveryAddress: ['z'] }));
    const errors = [
      ...(names.length > 1_000 ? names.map(entry) : list(10_000, () => entry('features'))),
      { location: 'body', name: 'items', description: itemFaults },
      { location: 'body', name: 'tenderers', description: itemFaults },
    ];
    const text = JSON.stringify({ status: 'error', errors });
    const context = { route: routeOf(resource, 'PATCH'), status: 422, query: '', sent: data };
    expectCheap(() => codecOf(generation).encodeResponse(context, text));
  });
});

describe('bounds of the codecs', () => {
  it('report a hundred unknown names', () => {
    const result = decodeRequest('0.1-middle', 'tender', 'POST', manyNames(0)) as Json;
    expect(result.refused.errors).toHaveLength(FAULTS_MAX);
    const bid = decodeRequest('2.3', 'bid', 'POST', { tenderers: [{ id: manyNames(0) }] }) as Json;
    expect(Object.keys(bid.refused.errors[0].description.id)).toHaveLength(FAULTS_MAX);
  });

  it('pass a list of more than 1,000 elements on, for the service to refuse', () => {
    const items = list(LIST_MAX + 1, () => ({ anything: 1 }));
    expect(decodeRequest('0.1-middle', 'tender', 'PATCH', { itemsToBeProcured: items }, { stored })).toMatchObject({
      data: { items },
    });
    expect(decodeRequest('2.3', 'bid', 'POST', { tenderers: items })).toMatchObject({ data: { tenderers: items } });
  });

  it('leave a refusal of more than 1 MiB unchanged', () => {
    const text = JSON.stringify({
      status: 'error',
      errors: [{ location: 'body', name: 'items', description: 'x'.repeat(1_048_576) }],
    });
    const context = { route: routeOf('tender', 'PATCH'), status: 422, query: '' };
    expect(codecOf('0.1-middle').encodeResponse(context, text)).toBe(text);
  });
});
