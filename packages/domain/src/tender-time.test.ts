import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instant } from '@procurement/contracts/reading/instant';
import { realTime, tenderTime } from '@procurement/domain/tender-time';

// An instant is a whole number of microseconds.
const NOON = 1_779_360_000_000_000 as Instant;

describe('the time of a tender', () => {
  it('is real time until the sandbox moves its clock', () => {
    expect(tenderTime(NOON, {})).toBe(NOON);
    expect(tenderTime(NOON, { clockShift: 0 })).toBe(NOON);
  });

  it('is ahead by as many microseconds as the clock was moved', () => {
    expect(tenderTime(NOON, { clockShift: 1_800_000_000 })).toBe(NOON + 1_800_000_000);
  });

  it('converts to real time and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 15 }), (clockShift) => {
        expect(realTime(tenderTime(NOON, { clockShift }), { clockShift })).toBe(NOON);
      }),
    );
  });
});
