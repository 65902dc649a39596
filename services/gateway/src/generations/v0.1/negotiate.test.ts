import { routes } from '@procurement/contracts/api/routes';
import type { Method, RouteContract, Segment } from '@procurement/contracts/api/route';
import { sporeDescription } from '../../description/spore.ts';
import { describe, expect, it } from 'vitest';
import { fixture, type Json } from '../../../test-support/generations.ts';
import { selectContracts, entryOfGeneration, buildEntries, type PathEntry } from '../../request/routes.table.ts';
import type { Generation01 } from '../codec.ts';
import { toServicePath } from './paths.ts';
import { resourceOf } from '../resource.ts';
import { negotiateGeneration, generationHeaders } from './negotiate.ts';

const rows: readonly Json[] = fixture('endpoints.json');
const SEGMENT_OF: Readonly<Record<string, Segment>> = { '0.1-middle': '0.1', '0.1-earliest': '0.1' };
const generation01Of = (generation: string): Generation01 => (generation === '0.1-earliest' ? 'earliest' : 'middle');
/** Contracts and fixture name path parameters differently: `:bid_id` and `{id}`. */
const pathPattern = (path: string): string => path.replaceAll(/:\w+|\{\w+\}/g, '*');

/** Contracts for every operation of the fixture, built or not, made from its 2.5 column. */
const allContracts: readonly RouteContract[] = rows.flatMap((row) => {
  const path = ['/tenders/{tender_id}/bidders', '/spore'].some((start) => row.path.startsWith(start))
    ? undefined
    : row.path;
  if (path === undefined) return [];
  const middle = rows.find((other) => other.path === path.replace('/bids', '/bidders'))['0.1-middle'] ?? [];
  const named = path
    .replace('{tender_id}', ':tender_id')
    .replace('{bid_id}', ':bid_id')
    .replace('documents/{id}', 'documents/:document_id')
    .replace('bids/{id}', 'bids/:bid_id')
    .replace('{id}', ':id');
  return row['2.5'].map((method: Method) => ({
    name: `${method} ${path}`,
    method,
    path: named,
    owner: 'tenders',
    spore: `${method} tender bids`,
    summary: '',
    segments: ['2.5', '2.3', '0', ...(middle.includes(method) ? ['0.1'] : [])],
    responses: {},
  }));
});

function entryAt(contracts: readonly RouteContract[], generation: string, path: string): PathEntry<string> | undefined {
  const entries = buildEntries('x', SEGMENT_OF[generation] ?? (generation as Segment), contracts);
  const entry = entries.find((one) => pathPattern(one.path) === pathPattern(path));
  return entry === undefined || SEGMENT_OF[generation] === undefined
    ? entry
    : entryOfGeneration(entry, generation01Of(generation));
}

const generations = ['2.5', '2.3', '0', '0.1-middle', '0.1-earliest'] as const;

describe('routes of a generation, endpoints.json', () => {
  const cases = rows.flatMap((row) =>
    generations.map((generation) => ({ path: row.path, generation, methods: row[generation] })),
  );

  it.each(cases.filter(({ path }) => path !== '/spore'))(
    'have at $path on $generation: $methods',
    ({ path, generation, methods }) => {
      const found = entryAt(allContracts, generation, path);
      expect(found === undefined ? null : new Set(found.methods.keys())).toEqual(
        methods === null ? null : new Set(methods),
      );
    },
  );

  it('have on 0.1 no operation beyond the fixture', () => {
    for (const generation of ['0.1-middle', '0.1-earliest']) {
      for (const row of rows) {
        const found = [...(entryAt(routes, generation, row.path)?.methods.keys() ?? [])];
        const foreign = found.filter((method) => !(row[generation] ?? []).includes(method));
        expect([row.path, generation, foreign]).toEqual([row.path, generation, []]);
      }
    }
  });

  it('appear in SPORE under the paths of the generation', () => {
    const listed = (generation: Segment, generation01?: Generation01): readonly string[] => {
      const segment = { segment: generation, generation, baseUrl: '', release: '' };
      return Object.values(sporeDescription(selectContracts(generation, routes, generation01), segment).methods).map(
        ({ path, method }) => `${method} ${path}`,
      );
    };
    expect(listed('0')).toContain('POST /tenders/:tender_id/questions');
    expect(listed('0')).toContain('GET /tenders/:tender_id/cancellations');
    expect(listed('0.1')).toContain('GET /tenders/:tender_id/bidders');
    expect(listed('0.1').filter((one) => /questions|complaints|lots|cancellations|contracts|\/bids/.test(one))).toEqual(
      [],
    );
    expect(listed('0.1', 'earliest').filter((one) => one.includes('bidders'))).toContain(
      'POST /tenders/:tender_id/bidders',
    );
    expect(listed('0.1', 'earliest')).not.toContain('GET /tenders/:tender_id/bidders');
  });
});

describe('negotiateGeneration, selection.json', () => {
  it.each<Json>(fixture('selection.json').filter((row: Json) => /^\/api\/0\.[12]\//.test(row.path)))(
    'negotiates $method $path, Accept: $accept',
    (row) => {
      const [target = '', query = ''] = row.path.split('?');
      const path = target.replace(/^\/api\/[^/]+/, '');
      const entry = buildEntries('0.1', '0.1', allContracts).find((one) =>
        new RegExp(`^${one.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
      );
      const route = entry?.methods.values().next().value;
      const resource = route === undefined ? 'other' : resourceOf(route);
      const negotiated = negotiateGeneration({ query, accept: row.accept, resource, data: row.body?.data });
      if ('refused' in negotiated) {
        expect(negotiated.refused).toMatchObject({ status: row.status, errors: row.errors });
        return;
      }
      const found = entry === undefined ? undefined : entryOfGeneration(entry, negotiated.generation01);
      if (row.status === 404) expect(found).toBeUndefined();
      else if (row.status === 405) {
        expect(found?.methods.has(row.method)).toBe(false);
        expect(found?.allow).toBe(row.allow);
      } else expect(negotiated.generation01).toBe(row.generation);
    },
  );
});

describe('toServicePath', () => {
  it.each([
    ['/tenders/a/bidders', '/tenders/a/bids'],
    ['/tenders/a/bidders/b/documents/c', '/tenders/a/bids/b/documents/c'],
    ['/tenders/bidders', '/tenders/bidders'],
    ['/tenders/bidders/bidders', '/tenders/bidders/bids'],
  ])('converts %s to the service path %s', (requested, servicePath) => {
    expect(toServicePath(requested)).toBe(servicePath);
  });
});

describe('generationHeaders', () => {
  it('names the generation in X-Generation, and Accept in Vary', () => {
    expect(generationHeaders('earliest')).toEqual({ 'x-generation': 'earliest', vary: 'Accept, Accept-Encoding' });
  });
});
