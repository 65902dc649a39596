import { routesOf } from '@procurement/contracts/api/routes';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../services/gateway/src/description/openapi.ts';
import { FILTER_PARAMETERS } from '../../services/register/src/domain/filters.ts';
import { readOcdsQuery } from '../../services/register/src/domain/ocds-parameters.ts';
import { readParameters } from '../../services/register/src/domain/parameters.ts';

const about = { segment: '2.5', generation: '2.5', baseUrl: 'https://api.example.org/api/2.5', release: '0' } as const;
const { paths } = openApi(routesOf({ sandbox: true }), about);

function patternOf(path: string, name: string): RegExp {
  // The document has this shape (Redocly checks it).
  const parameters = paths[path]?.['get']?.['parameters'] as readonly { name?: string; schema: { pattern?: string } }[];
  return new RegExp(parameters.find((one) => one.name === name)?.schema.pattern ?? 'none', 'u');
}

const isOcds = (name: string, value: string): boolean =>
  !('refused' in readOcdsQuery(`${name}=${encodeURIComponent(value)}`, 'releases'));
const isFilter = (name: string, value: string): boolean =>
  !('refused' in readParameters(`${name}=${encodeURIComponent(value)}`, FILTER_PARAMETERS));

const DATES = ['2026-03-02', '2026-03-02T10:15Z', '2026-03-02T10:15:00.482+02:00', '2026-03-02T10:15:00 02:00', ''];

describe('patterns of parameters in OpenAPI', () => {
  it.each([
    ['/ocds/releases.json', 'since', isOcds, DATES],
    ['/ocds/releases.jsonl', 'until', isOcds, DATES],
    ['/ocds/releases.json', 'cursor', isOcds, ['r2s', 'r0', '']],
    ['/ocds/releases.json', 'before', isOcds, ['rzz', '']],
    ['/stream', 'currency', isFilter, ['UAH', '']],
    ['/search', 'currency', isFilter, ['EUR', '']],
  ] as const)('%s?%s admit what the service admits, and not what it refuses', (path, name, admits, values) => {
    const pattern = patternOf(path, name);
    for (const value of values) expect([value, admits(name, value), pattern.test(value)]).toEqual([value, true, true]);
    for (const value of ['x', 'uah', '2026', 'r!', '02.03.2026'])
      expect([value, admits(name, value), pattern.test(value)]).toEqual([value, false, false]);
  });

  it('say how the id of a webhook is written', () => {
    const pattern = patternOf('/webhooks/{webhook_id}', 'webhook_id');
    expect([pattern.test('0c0ffee0'.repeat(4)), pattern.test('1')]).toEqual([true, false]);
  });
});
