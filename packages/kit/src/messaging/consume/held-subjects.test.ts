import { describe, expect, it } from 'vitest';
import { makeHeldSubjects } from './held-subjects.ts';

describe('makeHeldSubjects', () => {
  it('holds the later events of a subject, not the event itself, earlier ones or those of others', () => {
    const held = makeHeldSubjects(() => 0, 10);
    held.hold('a', 5);
    expect([4, 5, 6].map((sequence) => held.isHeld('a', sequence))).toEqual([false, false, true]);
    expect(held.isHeld('b', 6)).toBe(false);
    held.release('a');
    expect(held.isHeld('a', 6)).toBe(false);
  });

  it('holds by the earliest event when several of a subject wait', () => {
    const held = makeHeldSubjects(() => 0, 10);
    held.hold('a', 5);
    held.hold('a', 8);
    expect(held.isHeld('a', 6)).toBe(true);
    held.hold('a', 3);
    expect(held.isHeld('a', 5)).toBe(true);
  });

  it('releases an event that is not delivered again', () => {
    let now = 0;
    const held = makeHeldSubjects(() => now, 10);
    held.hold('a', 5);
    now = 9;
    held.hold('a', 5);
    now = 18;
    expect([held.isHeld('a', 6), held.count()]).toEqual([true, 1]);
    now = 19;
    expect([held.isHeld('a', 6), held.count()]).toEqual([false, 0]);
  });
});
