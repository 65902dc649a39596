import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeRefusalDelay } from './delayed-refusals.ts';

// Only its event `close` is used.
const response = (): ServerResponse => new EventEmitter() as unknown as ServerResponse;

describe('makeRefusalDelay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('answers later, and not at all when the client has gone', () => {
    const delay = makeRefusalDelay();
    const answered: string[] = [];
    const gone = response();
    delay(response(), () => answered.push('one'));
    delay(gone, () => answered.push('gone'));
    gone.emit('close');
    vi.advanceTimersByTime(249);
    expect(answered).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(answered).toEqual(['one']);
  });

  it('spreads the answers that are delayed at the same time', () => {
    const delay = makeRefusalDelay();
    const answered: string[] = [];
    for (let n = 0; n < 100; n += 1) delay(response(), () => answered.push('one'));
    const counts = [300, 350, 400, 450, 500].map((ms, at, all) => {
      vi.advanceTimersByTime(ms - (all[at - 1] ?? 0));
      return answered.length;
    });
    expect(counts.at(-1)).toBe(100);
    for (const [at, count] of counts.entries()) expect(count - (counts[at - 1] ?? 0)).toBeLessThan(50);
  });

  it('answers at once when too many are delayed, and counts those that have ended', () => {
    const delay = makeRefusalDelay(1);
    const answered: string[] = [];
    const first = response();
    delay(first, () => answered.push('first'));
    delay(response(), () => answered.push('second'));
    expect(answered).toEqual(['second']);
    vi.advanceTimersByTime(500);
    first.emit('close');
    delay(response(), () => answered.push('third'));
    expect(answered).toEqual(['second', 'first']);
  });
});
