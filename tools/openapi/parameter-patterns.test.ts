import { selectRoutes } from '@procurement/contracts/api/routes';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../services/gateway/src/description/openapi.ts';
import { FILTER_PARAMETERS } from '../../services/register/src/requests/domain/filters.ts';
import { BUYERS_PARAMETERS } from '../../services/register/src/search/domain/buyers-parameters.ts';
import { readOcdsQuery } from '../../services/register/src/ocds/domain/ocds-parameters.ts';
import { readParameters, type ParameterTable } from '../../services/register/src/requests/domain/parameters.ts';
import { SEARCH_PARAMETERS } from '../../services/register/src/search/domain/search-parameters.ts';
import { STATISTICS_PARAMETERS } from '../../services/register/src/statistics/domain/statistics-parameters.ts';
import { LOOKUP_PARAMETERS } from '../../services/register/src/search/lookup-tenders.ts';

const about = { segment: '2.5', generation: '2.5', baseUrl: 'https://api.example.org/api/2.5', release: '0' } as const;
const { paths } = openApi(selectRoutes({ sandbox: true }), about);

function findPattern(path: string, name: string): RegExp {
  // The document has this shape (Redocly checks it).
  const parameters = paths[path]?.['get']?.['parameters'] as readonly { name?: string; schema: { pattern?: string } }[];
  return new RegExp(parameters.find((one) => one.name === name)?.schema.pattern ?? 'none', 'u');
}

const isOcds = (name: string, value: string): boolean =>
  !('refused' in readOcdsQuery(`${name}=${encodeURIComponent(value)}`, 'releases'));
const admittedBy =
  (table: ParameterTable) =>
  (name: string, value: string): boolean =>
    !('refused' in readParameters(`${name}=${encodeURIComponent(value)}`, table));
const isFilter = admittedBy(FILTER_PARAMETERS);
const isOfSearch = admittedBy(SEARCH_PARAMETERS);
const isOfStatistics = admittedBy(STATISTICS_PARAMETERS);

const DATES = ['2026-03-02', '2026-03-02T10:15Z', '2026-03-02T10:15:00.482+02:00', '2026-03-02T10:15:00 02:00', ''];
const ODD = [
  'x',
  'uah',
  '2',
  '1',
  'r!',
  '02/03/2026',
  '2026-02-30',
  '0020-02-29',
  'a  b',
  '0'.repeat(31),
  '-1',
  'x,',
  ',',
];
const ID = '0c0ffee0'.repeat(4);

describe('patterns of parameters in OpenAPI', () => {
  it.each([
    ['/ocds/releases.json', 'since', isOcds, DATES],
    ['/ocds/releases.jsonl', 'until', isOcds, DATES],
    ['/ocds/releases.json', 'cursor', isOcds, ['r2s', 'r0', '']],
    ['/ocds/releases.json', 'before', isOcds, ['rzz', '']],
    ['/stream', 'currency', isFilter, ['UAH', '']],
    ['/search', 'currency', isFilter, ['EUR', '']],
    ['/stream', 'ids', isFilter, [ID, `${ID}, ${ID}`, '']],
    ['/stream', 'causes', isFilter, ['tender.edited,question.answered', '']],
    ['/stream', 'status', isFilter, ['active', 'active.auction , complete', '']],
    ['/search', 'cpv', isOfSearch, ['30', '30197630', '30197630-1,45', '']],
    ['/search', 'facets', isOfSearch, ['status,cpv', '']],
    ['/search', 'createdFrom', isOfSearch, DATES],
    ['/search', 'modifiedTo', isOfSearch, DATES],
    ['/search', 'at_least', isOfSearch, [...DATES, '1779360000.396982', '0', '1.2.3.abc']],
    ['/search/buyers', 'q', admittedBy(BUYERS_PARAMETERS), ['abc', 'ТОВ', 'a 1 b']],
    ['/statistics', 'from', isOfStatistics, ['2026-03-31', '2024-02-29', '2000-02-29', '']],
    ['/statistics', 'cpv', isOfStatistics, ['30, 451', '']],
    [
      '/lookup',
      'ids',
      admittedBy(LOOKUP_PARAMETERS),
      [ID, 'UA-2026-03-02-000001', `${ID.toUpperCase()}, ua-2026-03-02-000001-a`],
    ],
  ] as const)('%s?%s admit what the service admits, and not what it refuses', (path, name, admits, values) => {
    const pattern = findPattern(path, name);
    for (const value of values) expect([value, admits(name, value), pattern.test(value)]).toEqual([value, true, true]);
    const refused = ODD.filter((value) => !admits(name, value));
    expect(refused).not.toEqual([]);
    expect(refused.filter((value) => pattern.test(value))).toEqual([]);
  });

  it.each([
    ['/webhooks/{webhook_id}', 'webhook_id'],
    ['/tenders/{tender_id}', 'tender_id'],
  ])('say how an id is written: %s', (path, name) => {
    const pattern = findPattern(path, name);
    expect([pattern.test(ID), pattern.test('1')]).toEqual([true, false]);
  });
});
