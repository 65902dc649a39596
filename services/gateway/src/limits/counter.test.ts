import { describe, expect, it } from 'vitest';
import { makeCounter } from './counter.ts';

describe('makeCounter', () => {
  it('admits so many of a key at the same time', () => {
    const counter = makeCounter(2);
    expect(['a', 'a', 'a', 'b'].map((key) => counter.enter(key))).toEqual([true, true, false, true]);
    counter.leave('a');
    expect([counter.enter('a'), counter.enter('a')]).toEqual([true, false]);
  });

  it('admits everything when it is off', () => {
    const counter = makeCounter(0);
    for (let n = 0; n < 1_000; n += 1) expect(counter.enter('a')).toBe(true);
    counter.leave('a');
  });
});
