import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeHold } from './held-answers.ts';

// Only its event `close` is used.
const response = (): ServerResponse => new EventEmitter() as unknown as ServerResponse;

describe('makeHold', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('answers later, and not at all when the client has gone', () => {
    const hold = makeHold();
    const answered: string[] = [];
    const gone = response();
    hold(response(), () => answered.push('one'));
    hold(gone, () => answered.push('gone'));
    gone.emit('close');
    expect(answered).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(answered).toEqual(['one']);
  });

  it('answers at once when too many are held, and counts those that have ended', () => {
    const hold = makeHold(1);
    const answered: string[] = [];
    const first = response();
    hold(first, () => answered.push('first'));
    hold(response(), () => answered.push('second'));
    expect(answered).toEqual(['second']);
    vi.advanceTimersByTime(250);
    first.emit('close');
    hold(response(), () => answered.push('third'));
    expect(answered).toEqual(['second', 'first']);
  });
});
