import { describe, expect, it } from 'vitest';
import { paperTenders } from '../../../test-support/paper.ts';
import { FILTER_PARAMETERS, filterKey, matches, type Filter } from './filters.ts';
import { readParameters } from './parameters.ts';
import { tenderColumns } from '../../revisions/domain/tender-columns.ts';

const TENDER = { listed: true, ...tenderColumns(paperTenders[0] ?? {}) };

function parseFilter(query: string): Filter {
  const reading = readParameters(query, FILTER_PARAMETERS);
  if ('refused' in reading) throw new Error(`refused ${JSON.stringify(reading.refused.errors)}`);
  return reading.parameters;
}

describe('filters', () => {
  it.each([
    'status=active',
    'status=complete,active.enquiries',
    'method=belowThreshold',
    'cpv=30',
    'cpv=30190000-7',
    'cpv=33,30197630',
    'buyer=UA-EDR-12345601',
    'buyer=12345601',
    'region=UA-32',
    'region=Київська область',
    'amountFrom=100000&amountTo=100000',
    'amountTo=100000.0',
    'currency=UAH',
    'ids=5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30',
    'mode=_all_',
    'status=active&cpv=301&amountFrom=1',
  ])('match the tender of the fixture by %s', (query) => {
    expect(matches(parseFilter(query), TENDER)).toBe(true);
  });

  it.each([
    'status=complete',
    'method=reporting',
    'cpv=31',
    'cpv=30197631',
    'buyer=2345601',
    'region=UA-30',
    'amountFrom=100000.01',
    'amountFrom=1.0000001e5',
    'amountTo=99999.99',
    'amountFrom=1&currency=EUR',
    'ids=00000000000000000000000000000000',
    'mode=test',
    'status=active&cpv=31',
  ])('do not match it by %s', (query) => {
    expect(matches(parseFilter(query), TENDER)).toBe(false);
  });

  it.each([
    'status=open',
    'cpv=3',
    'cpv=abc',
    'cpv=30190000-',
    'ids=UA-2026',
    'mode=real',
    'amountFrom=-1',
    'amountFrom=1e15',
    'amountFrom=0x1',
    'currency=uah',
    'causes=unknown',
  ])('refuse %s', (query) => {
    expect(() => parseFilter(query)).toThrow('Invalid value');
  });

  it('match nothing that is not listed', () => {
    expect(matches({ mode: '_all_' }, { ...TENDER, listed: false })).toBe(false);
  });

  it('have one key whatever the order of their parameters', () => {
    expect(filterKey(parseFilter('cpv=30&causes=clock'))).toBe(filterKey(parseFilter('causes=clock&cpv=30')));
    expect(filterKey(parseFilter('cpv=30'))).not.toBe(filterKey(parseFilter('cpv=31')));
  });
});
