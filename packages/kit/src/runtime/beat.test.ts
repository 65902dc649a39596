import { afterEach, describe, expect, it, vi } from 'vitest';
import { untilBeat } from './beat.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function at(now: number, ms: number): number {
  vi.spyOn(performance, 'now').mockReturnValue(now);
  return now + untilBeat(ms);
}

describe('untilBeat', () => {
  it.each([
    ['on a beat', 20_000, 25_000],
    ['some milliseconds after one', 20_003, 25_000],
    ['before one', 22_600, 25_000],
    ['a little before one, as by an early timer', 24_999.5, 30_000],
  ])('ends a pause of 5 s that begins %s on the next', (_when, now, end) => {
    expect(at(now, 5_000)).toBeCloseTo(end);
  });

  it('ends a longer pause on the last beat in it', () => {
    expect(at(22_600, 60_000)).toBeCloseTo(80_000);
  });

  it('leaves short pauses as they are', () => {
    expect(at(22_600, 4_999)).toBe(27_599);
  });
});
