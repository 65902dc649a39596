import { describe, expect, it } from 'vitest';
import {
  filtersOf,
  isIdentifier,
  queryText,
  readAmount,
  readDay,
  readSearch,
  tenderNamed,
  without,
  withField,
} from './search-parameters.ts';

describe('readAmount', () => {
  it.each([
    ['1 000,50', '1000.5'],
    ['1\u00a0000\u202f000', '1000000'],
    ['1,000.50', '1000.5'],
    ['1.000,50', '1000.5'],
    ['1,000', '1000'],
    ['1.000.000', '1000000'],
    ['12,5', '12.5'],
    ['0.05', '0.05'],
    ["1'000", '1000'],
    ['100 грн', '100'],
    ['UAH', undefined],
    ['1,00,00', undefined],
    ['1,000,50', undefined],
    ['багато', undefined],
    ['-5', undefined],
    ['1e9', undefined],
  ])('reads %j as %j', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });
});

describe('readDay', () => {
  it.each([
    ['2026-03-16', '2026-03-16'],
    ['16.03.2026', '2026-03-16'],
    ['1.3.2026', '2026-03-01'],
    ['2026-03-16T12:00:00+02:00', '2026-03-16T12:00:00+02:00'],
    ['2026-02-31', undefined],
    ['31.02.2026', undefined],
    ['2026-13-01', undefined],
    ['березень', undefined],
    ['2026', undefined],
  ])('reads %j as %j', (text, day) => {
    expect(readDay(text)).toBe(day);
  });
});

describe('readSearch', () => {
  it('keeps what the visitor wrote beside what the API is asked, and ignores what it does not know', () => {
    expect(readSearch({ q: ' папір ', amountFrom: '1 000,50', expand: '1', limit: '100', status: '' })).toEqual({
      written: { q: 'папір', amountFrom: '1 000,50' },
      asked: { q: 'папір', amountFrom: '1000.5' },
      problems: {},
    });
  });

  it('says what is wrong where it is wrong, and does not ask for it', () => {
    expect(readSearch({ amountFrom: 'abc', amountTo: '5', createdFrom: '31.02.2026' })).toEqual({
      written: { amountFrom: 'abc', amountTo: '5', createdFrom: '31.02.2026' },
      asked: { amountTo: '5' },
      problems: { amountFrom: 'amount', createdFrom: 'day' },
    });
  });

  it('forgets the order by relevance together with the words', () => {
    expect(readSearch({ sort: 'relevance' }).asked).toEqual({});
    expect(readSearch({ sort: 'relevance', q: 'папір' }).asked.sort).toBe('relevance');
  });

  it('compares amounts as numbers and days as days', () => {
    expect(readSearch({ amountFrom: '9', amountTo: '1 000' }).problems).toEqual({});
    expect(readSearch({ amountFrom: '1000', amountTo: '9' }).problems).toEqual({ amountFrom: 'order' });
    expect(readSearch({ createdFrom: '2.3.2026', createdTo: '2026-03-01' }).problems).toEqual({ createdFrom: 'order' });
  });
});

describe('filters', () => {
  const search = { q: 'папір, клей', status: 'complete,cancelled', sort: '-amount', cursor: 'x', mode: 'test' };

  it('are each removed alone, and the search begins anew', () => {
    expect(filtersOf(search)).toEqual([
      { field: 'q', value: 'папір, клей' },
      { field: 'status', value: 'complete' },
      { field: 'status', value: 'cancelled' },
    ]);
    const rest = without(search, { field: 'status', value: 'complete' });
    expect(rest).toEqual({ q: 'папір, клей', status: 'cancelled', sort: '-amount', mode: 'test' });
    expect(without(rest, { field: 'status', value: 'cancelled' })).not.toHaveProperty('status');
  });

  it('make an address in one order', () => {
    expect(queryText(withField({ sort: 'amount', cursor: 'x' }, 'cpv', '30,44'))).toBe('?cpv=30,44&sort=amount');
    expect(queryText({})).toBe('');
    expect(queryText({ q: 'a&b=c' })).toBe('?q=a%26b%3Dc');
  });
});

describe('tenderNamed', () => {
  it.each([
    [' ua-2026-03-02-000001 ', 'UA-2026-03-02-000001'],
    ['UA-2026-03-02-000001-a1', 'UA-2026-03-02-000001-a1'],
    ['0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcdef'],
    ['папір UA-2026-03-02-000001', undefined],
    ['UA-2026', undefined],
    [undefined, undefined],
  ])('takes %j for %j', (words, named) => {
    expect(tenderNamed(words)).toBe(named);
  });
});

describe('isIdentifier', () => {
  it.each([
    ['00037256', true],
    ['UA-EDR-00037256', true],
    ['UA-EDR-00037256, 25733061', true],
    ['Ліцей № 27', false],
    ['ліцей', false],
    ['школа27', false],
  ])('says of %j: %j', (text, is) => {
    expect(isIdentifier(text)).toBe(is);
  });
});
