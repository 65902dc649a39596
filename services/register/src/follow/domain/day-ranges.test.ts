import { describe, expect, it } from 'vitest';
import { dayRanges } from './day-ranges.ts';

const DAY = 86_400_000_000;

describe('dayRanges', () => {
  it('cuts at days, and has one range before the first position', () => {
    expect(dayRanges({ from: 0, to: 12.5 * DAY, first: 10.5 * DAY })).toEqual([
      { from: 0, to: 10 * DAY },
      { from: 10 * DAY, to: 11 * DAY },
      { from: 11 * DAY, to: 12 * DAY },
      { from: 12 * DAY, to: 12.5 * DAY },
    ]);
  });

  it('begins within a day', () => {
    expect(dayRanges({ from: 10.2 * DAY, to: 10.7 * DAY, first: 3 * DAY })).toEqual([
      { from: 10.2 * DAY, to: 10.7 * DAY },
    ]);
    expect(dayRanges({ from: 5, to: 5, first: 3 })).toEqual([]);
  });
});
