import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instant } from '@procurement/contracts/reading/instant';
import { realTime, tenderTime } from '@procurement/domain/tender-time';

// An instant is a whole number of microseconds.
const NOON = 1_779_360_000_000_000 as Instant;

describe('tenderTime and realTime', () => {
  it('are equal while the sandbox has not moved the clock', () => {
    expect(tenderTime(NOON, {})).toBe(NOON);
    expect(tenderTime(NOON, { clockShift: 0 })).toBe(NOON);
  });

  it('tenderTime is ahead by the microseconds that the clock was moved', () => {
    expect(tenderTime(NOON, { clockShift: 1_800_000_000 })).toBe(NOON + 1_800_000_000);
  });

  it('realTime is the inverse of tenderTime', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 15 }), (clockShift) => {
        expect(realTime(tenderTime(NOON, { clockShift }), { clockShift })).toBe(NOON);
      }),
    );
  });
});
