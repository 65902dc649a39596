import { errors } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bus } from '../bus.ts';
import { makeCommitSignal } from './commit-signal.ts';

let sentAt: number[] = [];
const bus = {
  connected: () => true,
  connection: { publish: () => void sentAt.push(performance.now()) },
} as unknown as Bus;

beforeEach(() => {
  sentAt = [];
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('makeCommitSignal', () => {
  it('sends at once after a pause, then at most one message in 50 ms, and one for the last call', async () => {
    const signal = makeCommitSignal(bus, 'signal.test');
    const beganAt = performance.now();
    let lastCallAt = 0;
    for (let n = 0; n < 100; n += 1) {
      signal();
      lastCallAt = performance.now();
      await vi.advanceTimersByTimeAsync(5);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sentAt[0]).toBe(beganAt);
    expect(sentAt.slice(1).map((at, n) => at - (sentAt[n] ?? 0))).toEqual(Array.from({ length: 10 }, () => 50));
    expect(sentAt.at(-1)).toBeGreaterThanOrEqual(lastCallAt);
    signal();
    expect(sentAt.at(-1)).toBe(performance.now());
  });

  it('ignores that the connection is ending, because an error of its timer ends the process', async () => {
    const publish = vi.fn<() => void>(() => {
      throw new errors.DrainingConnectionError();
    });
    // Safe cast: it uses these members only.
    const signal = makeCommitSignal({ ...bus, connection: { publish } } as unknown as Bus, 'signal.test');
    signal();
    signal();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(publish).toHaveBeenCalledTimes(2);
  });
});
