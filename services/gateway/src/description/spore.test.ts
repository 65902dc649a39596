import { describe, expect, it } from 'vitest';
import { routes } from '@procurement/contracts/api/routes';
import { sporeDescription } from './spore.ts';

const segment = {
  segment: '2.3',
  generation: '2.3',
  baseUrl: 'https://api.example.org/api/2.3',
  release: '1.0.0',
} as const;

describe('spore', () => {
  const description = sporeDescription(routes, segment);

  it('has the head that http.md 6.3 shows', () => {
    const { methods: _methods, ...head } = description;
    expect(head).toEqual({
      name: 'Public Procurement Tender Service',
      base_url: 'https://api.example.org/api/2.3',
      version: '2.3',
      expected_status: [200],
      formats: ['json'],
    });
  });

  it('describes the operations of http.md 6.3 in the same way', () => {
    expect(description.methods['get_tenders']).toEqual({
      path: '/tenders',
      method: 'GET',
      formats: ['json'],
      optional_params: ['offset', 'limit', 'descending', 'mode', 'feed', 'opt_fields', 'opt_pretty', 'opt_jsonp'],
      description: 'Tenders feed',
    });
    expect(description.methods['post_tenders']).toEqual({
      path: '/tenders',
      method: 'POST',
      formats: ['json'],
      expected_status: [201],
      authentication: true,
      description: 'Create a tender',
    });
    expect(description.methods['patch_tender']).toEqual({
      path: '/tenders/:tender_id',
      method: 'PATCH',
      formats: ['json'],
      required_params: ['tender_id'],
      optional_params: ['acc_token'],
      authentication: true,
      description: 'Change a tender',
    });
  });

  it('has every operation of the segment once, and a head_ method for every GET', () => {
    const served = routes.filter((route) => route.segments.includes('2.3'));
    const names = served.flatMap(({ spore: name }) =>
      name.startsWith('get_') ? [name, name.replace('get_', 'head_')] : [name],
    );
    expect(Object.keys(description.methods).sort()).toEqual([...new Set(names)].sort());
    expect(new Set(served.map((route) => route.spore)).size).toBe(served.length);
    for (const route of served) expect(route.spore.startsWith(`${route.method.toLowerCase()}_`)).toBe(true);
  });

  it('leaves out operations of other segments', () => {
    expect(
      sporeDescription(
        routes.map((route) => ({ ...route, segments: ['2.5'] })),
        segment,
      ).methods,
    ).toEqual({});
  });
});
