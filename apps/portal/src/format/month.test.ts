import { describe, expect, it } from 'vitest';
import { formatMonth, lastDayOf, monthOf, monthsBetween, shortMonth } from './month.ts';

describe('months', () => {
  it('are named in both languages', () => {
    expect(formatMonth('2026-03', 'uk')).toBe('березень\u00a02026');
    expect(formatMonth('2026-03-31', 'en')).toBe('March\u00a02026');
    expect(shortMonth('2026-03', 'uk')).toBe('бер');
  });

  it('are all there between two days, also over a new year', () => {
    expect(monthsBetween('2025-11-01', '2026-02-28')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
    expect(monthsBetween('2026-03-01', '2026-03-31')).toEqual(['2026-03']);
  });

  it('end with their last day', () => {
    expect(['2026-02', '2028-02', '2026-12', '2026-11'].map(lastDayOf)).toEqual([
      '2026-02-28',
      '2028-02-29',
      '2026-12-31',
      '2026-11-30',
    ]);
  });

  it('begin at midnight in Kyiv', () => {
    expect(monthOf(Date.parse('2026-03-31T20:59:59Z'))).toBe('2026-03');
    expect(monthOf(Date.parse('2026-03-31T21:00:00Z'))).toBe('2026-04');
  });
});
