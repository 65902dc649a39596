import { describe, expect, it } from 'vitest';
import { EVERY_MS, everyMsAt, perSecondAfter } from './pace.ts';

interface Times {
  readonly count: number;
  readonly everyMs: number;
  readonly times: number;
}

/** The time to the next message after these. */
function everyMsAfter(...all: readonly Times[]): number {
  let perSecond = 0;
  for (const { count, everyMs, times } of all) {
    for (let n = 0; n < times; n += 1) perSecond = perSecondAfter(perSecond, count, everyMs);
  }
  return everyMsAt(perSecond);
}

const SECOND_OF_400 = { count: 8, everyMs: 20, times: 50 };

describe('the time between two messages or pages', () => {
  it.each<[string, readonly Times[]]>([
    ['nothing', []],
    ['one commit after a pause', [{ count: 1, everyMs: 60_000, times: 1 }]],
    ['50 in a second, one by one', [{ count: 1, everyMs: 20, times: 500 }]],
    ['50 in a second, in clusters', [{ count: 5, everyMs: 100, times: 100 }]],
    ['many, and then a pause', [SECOND_OF_400, { count: 1, everyMs: 5_000, times: 1 }]],
    ['many, and then 50 in a second', [SECOND_OF_400, { count: 5, everyMs: 100, times: 20 }]],
  ])('is short after %s', (_what, commits) => {
    expect(everyMsAfter(...commits)).toBe(EVERY_MS);
  });

  it('grows with the number of commits', () => {
    const [few, more] = [70, 90].map((perSecond) => everyMsAfter({ count: perSecond / 10, everyMs: 100, times: 100 }));
    expect([few, more]).toEqual([expect.closeTo(40), expect.closeTo(80)]);
  });

  it.each<[string, readonly Times[]]>([
    ['120 in a second', [{ count: 12, everyMs: 100, times: 50 }]],
    ['120 in a second, one by one', [{ count: 1, everyMs: 8, times: 500 }]],
    ['500 in 300 ms', [{ count: 500, everyMs: 300, times: 1 }]],
    ['500 at once', [{ count: 500, everyMs: 1, times: 1 }]],
  ])('is long after %s', (_what, commits) => {
    expect(everyMsAfter(...commits)).toBe(100);
  });
});
