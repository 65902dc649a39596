import { routes } from '@procurement/contracts/api/routes';
import type { RouteContract } from '@procurement/contracts/api/route';
import { describe, expect, it } from 'vitest';
import { findContract, methodRefusals, routesTable } from './routes.table.ts';

const route = (method: RouteContract['method'], path: string, extra: Partial<RouteContract> = {}): RouteContract => ({
  name: `${method} ${path}`,
  method,
  path,
  owner: 'tenders',
  spore: 'x',
  summary: '',
  description: '',
  segments: ['2.5', '2.3'],
  responses: {},
  ...extra,
});

describe('routesTable', () => {
  const table = routesTable([
    route('GET', '/tenders'),
    route('POST', '/tenders'),
    route('PATCH', '/tenders/:tender_id', { segments: ['2.5'] }),
    route('GET', '/tenders/:tender_id'),
  ]);

  it('has every contract under each of its segments, and under the alias of 2.5', () => {
    const routed = routesTable(routes);
    for (const [segment, generation] of [
      ['2.5', '2.5'],
      ['2.4', '2.5'],
      ['2.3', '2.3'],
    ] as const) {
      const contracts = (routed.get(segment) ?? []).flatMap((entry) => [...entry.methods.values()]);
      const expected = routes.filter((one) => one.segments.includes(generation) && one.outsideSegments !== true);
      expect(contracts).toEqual(expect.arrayContaining(expected));
      expect(contracts.length).toBe(expected.length);
    }
  });

  it('lists the allowed methods of a path by segment', () => {
    const allowed = (segment: '2.5' | '2.3') => table.get(segment)?.map(({ path, allow }) => [path, allow]);
    expect(allowed('2.5')).toEqual([
      ['/tenders', 'GET, HEAD, POST'],
      ['/tenders/:tender_id', 'GET, HEAD, PATCH'],
    ]);
    expect(allowed('2.3')).toEqual([
      ['/tenders', 'GET, HEAD, POST'],
      ['/tenders/:tender_id', 'GET, HEAD'],
    ]);
  });

  it('finds the contract of a method, and that of GET for HEAD', () => {
    const entry = table.get('2.5')?.find(({ path }) => path === '/tenders/:tender_id');
    if (entry === undefined) throw new Error('not found');
    expect(findContract(entry, 'HEAD')?.name).toBe('GET /tenders/:tender_id');
    expect(findContract(entry, 'PATCH')?.name).toBe('PATCH /tenders/:tender_id');
    expect(findContract(entry, 'PUT')).toBeUndefined();
  });

  describe('refuses a method that the router does not know', () => {
    const refusalOf = methodRefusals(table, [
      { ...route('GET', '/ocds/records/:ocid', { owner: 'register' }), outsideSegments: true },
    ]);
    const describeRefusal = (path: string, method = 'TRACE') => {
      const { status, headers } = refusalOf(method, path) ?? {};
      return [status, headers?.['allow']];
    };

    it.each([
      ['/api/2.5/tenders', 'GET, HEAD, POST'],
      ['/api/2.4/tenders/1', 'GET, HEAD, PATCH'],
      ['/api/2.3/spore', 'GET, HEAD'],
      ['/api/ocds/records/1', 'GET, HEAD'],
    ])('with 405 and what %s allows', (path, allow) => {
      expect([describeRefusal(path), describeRefusal(path, 'get')]).toEqual([
        [405, allow],
        [405, allow],
      ]);
      expect(refusalOf('GET', path)).toBeUndefined();
    });

    it.each(['/api/9.9/tenders', '/tenders', '/api/2.5/tenders/1/2', '/api/2.5', '/api/ocds/records'])(
      'with 404 at %s',
      (path) => {
        expect(describeRefusal(path)).toEqual([404, undefined]);
      },
    );
  });

  it('refuses a path with two owners', () => {
    const rival = route('POST', '/tenders', { owner: 'bids' });
    expect(() => routesTable([route('GET', '/tenders'), rival])).toThrow('/tenders has several owners: tenders,bids');
  });
});
