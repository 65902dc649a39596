import { describe, expect, it } from 'vitest';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { isWithin, isWithinBegun } from './period.ts';

const startDate = '2026-05-04T10:00:00+03:00';
const endDate = '2026-05-10T00:00:00+03:00';

describe('isWithin', () => {
  it.each([
    ['2026-05-04T09:59:59.999999+03:00', false],
    [startDate, true],
    ['2026-05-07T00:00:00+03:00', true],
    [endDate, true],
    ['2026-05-10T00:00:00.000001+03:00', false],
  ])('%s: %s', (now, isInside) => {
    expect(isWithin({ startDate, endDate }, parseInstant(now))).toBe(isInside);
  });

  it('has no limit where an end is missing', () => {
    expect(isWithin({ endDate }, parseInstant('2020-01-01'))).toBe(true);
    expect(isWithin({ startDate }, parseInstant('2030-01-01'))).toBe(true);
    expect(isWithin({}, parseInstant('2030-01-01'))).toBe(true);
  });
});

describe('isWithinBegun', () => {
  it.each([
    ['2026-05-04T09:58:59.999999+03:00', false],
    ['2026-05-04T09:59:00+03:00', true],
    [startDate, true],
    [endDate, true],
    ['2026-05-10T00:00:00.000001+03:00', false],
  ])('%s: %s', (now, isInside) => {
    expect(isWithinBegun({ startDate, endDate }, parseInstant(now))).toBe(isInside);
  });

  it('has ended when it is shorter than clocks differ', () => {
    const short = { startDate, endDate: '2026-05-04T10:00:01+03:00' };
    expect(isWithinBegun(short, parseInstant('2026-05-04T10:00:02+03:00'))).toBe(false);
  });
});
