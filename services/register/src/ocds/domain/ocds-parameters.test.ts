import { describe, expect, it } from 'vitest';
import { ocdsCursor, readOcdsQuery } from './ocds-parameters.ts';

const findProblem = (query: string): unknown => {
  const read = readOcdsQuery(query, 'releases');
  return 'refused' in read ? [read.refused.status, read.refused.errors] : read;
};

describe('readOcdsQuery', () => {
  it('reads all parameters, and names them in the order of addresses', () => {
    const query = 'embed=1&until=2026-03-02T00:00:00%2B02:00&since=2026-03-01&cursor=r2s&limit=7&unknown=1';
    expect(readOcdsQuery(query, 'releases')).toEqual({
      limit: 7,
      after: 100n,
      since: new Date('2026-03-01T00:00:00Z'),
      until: new Date('2026-03-01T22:00:00Z'),
      embed: true,
      given: [
        ['limit', '7'],
        ['cursor', 'r2s'],
        ['since', '2026-03-01'],
        ['until', '2026-03-02T00:00:00+02:00'],
        ['embed', '1'],
      ],
    });
  });

  it.each(['', 'limit=', 'cursor=&before=', 'embed=0'])('takes %o for nothing', (query) => {
    expect(readOcdsQuery(query, 'releases')).toEqual({ embed: false, given: [] });
  });

  it.each(['0', '-1', 'x', '1.5'])('refuses the limit %s with 400, and names the range', (limit) => {
    const description = 'limit should be a whole number from 1 to 1000';
    expect(findProblem(`limit=${limit}`)).toEqual([400, [{ location: 'params', name: 'limit', description }]]);
  });

  it('bounds the limit, and reads times without an offset as UTC', () => {
    expect(readOcdsQuery('limit=5000&since=2026-03-01T10:00', 'records')).toMatchObject({
      limit: 1_000,
      since: new Date('2026-03-01T10:00:00Z'),
    });
  });

  it.each(['c1', 'r', 'r-1', 'rzzzzzzzzzzzz', 'r1.5', 'x'])('refuses the cursor %s with 404', (cursor) => {
    const entry = { location: 'params', name: 'cursor', description: 'Offset expired/invalid' };
    expect(findProblem(`cursor=${cursor}`)).toEqual([404, [entry]]);
  });

  it.each([
    ['cursor=r1&before=r2', 'before'],
    ['since=yesterday', 'since'],
    ['until=2026-13-01', 'until'],
    ['since=2026-03-01T25:00', 'since'],
  ])('refuses %s with 400', (query, name) => {
    const allowedValues = [expect.any(String)];
    expect(findProblem(query)).toEqual([
      400,
      [{ location: 'params', name, description: 'Invalid value', allowedValues }],
    ]);
  });
});

describe('ocdsCursor', () => {
  it('is read back', () => {
    expect(readOcdsQuery(`before=${ocdsCursor('records', 123_456n)}`, 'records')).toMatchObject({ before: 123_456n });
  });
});
