import { describe, expect, it } from 'vitest';
import { compact, money, multilingual, period, text, timestamp, uri } from './values.ts';

describe('uri', () => {
  it.each([
    ['https://example.org', 'https://example.org/'],
    ['https://укр.example/шлях', 'https://xn--j1amh.example/%D1%88%D0%BB%D1%8F%D1%85'],
    ['https://example.org/a|b?c={d}#e#f', 'https://example.org/a%7Cb?c=%7Bd%7D#e%23f'],
    ['https://example.org/?q=100%', 'https://example.org/?q=100%25'],
    ['http://[::1]:8080/a[1]', 'http://[::1]:8080/a%5B1%5D'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['www.example.org', undefined],
    ['/path', undefined],
    ['', undefined],
    [7, undefined],
  ])('%s is published as %s', (value, published) => {
    expect(uri(value)).toBe(published);
  });
});

describe('text', () => {
  it.each([
    ['a\0b', 'ab'],
    ['half \uD83D of a pair', 'half \uFFFD of a pair'],
    [' kept ', ' kept '],
    ['\u00A0\t\n', undefined],
    [7, undefined],
    [null, undefined],
  ])('%j is published as %j', (value, published) => {
    expect(text(value)).toBe(published);
  });

  it('has the variants that the API has', () => {
    const source = { title: 'а', title_en: 'b', title_ru: ' ', title_de: 'd' };
    expect(compact(multilingual(source, 'title'))).toEqual({ title: 'а', title_en: 'b' });
  });
});

describe('money', () => {
  it('keeps zero and false, and the amount of an unknown currency', () => {
    expect(money({ amount: 0, currency: 'uah', valueAddedTaxIncluded: false })).toEqual({
      amount: 0,
      currency: 'UAH',
      valueAddedTaxIncluded: false,
    });
    expect(money({ amount: 5, currency: 'грн' })).toEqual({ amount: 5 });
    expect(money({ amount: '5' })).toEqual({});
  });
});

describe('timestamp', () => {
  it.each([
    ['2026-03-02T10:15:00.482000+02:00', true],
    ['2026-03-02T10:15:00Z', true],
    ['2026-03-02', false],
    ['2026-13-02T10:15:00Z', false],
  ])('%s: %s', (value, isPublished) => {
    expect(timestamp(value)).toBe(isPublished ? value : undefined);
  });

  it('is all that a period has', () => {
    const source = { startDate: '2026-03-02T10:15:00Z', endDate: 'soon', shouldStartAfter: '2026-03-02T10:15:00Z' };
    expect(period(source)).toEqual({ startDate: '2026-03-02T10:15:00Z' });
  });
});
