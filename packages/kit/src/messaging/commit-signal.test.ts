import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bus } from './bus.ts';
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

async function callEvery(ms: number, seconds: number, signal: () => void): Promise<void> {
  for (let at = 0; at < seconds * 1_000; at += ms) {
    signal();
    await vi.advanceTimersByTimeAsync(ms);
  }
}

describe('makeCommitSignal', () => {
  it('sends at most one message in 20 ms', async () => {
    const signal = makeCommitSignal(bus, 'signal.test');
    await callEvery(60, 2, () => {
      signal();
      signal();
      signal();
    });
    const pauses = sentAt.slice(1).map((at, n) => at - (sentAt[n] ?? 0));
    expect(sentAt.length).toBeGreaterThan(60);
    expect(Math.min(...pauses)).toBe(20);
  });

  it('sends at most one in 100 ms while many are called for, and one for the last call', async () => {
    const signal = makeCommitSignal(bus, 'signal.test');
    await callEvery(5, 2, signal);
    const beganAt = performance.now();
    sentAt = [];
    await callEvery(5, 2, signal);
    const lastCallAt = performance.now() - 5;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(performance.now() - beganAt).toBe(3_000);
    expect(sentAt.length).toBeGreaterThan(15);
    expect(sentAt.length).toBeLessThanOrEqual(21);
    expect(sentAt.at(-1)).toBeGreaterThanOrEqual(lastCallAt);
  });

  it('sends at once again after a pause', async () => {
    const signal = makeCommitSignal(bus, 'signal.test');
    await callEvery(5, 2, signal);
    await vi.advanceTimersByTimeAsync(5_000);
    sentAt = [];
    signal();
    expect(sentAt).toEqual([performance.now()]);
    signal();
    await vi.advanceTimersByTimeAsync(20);
    expect(sentAt).toHaveLength(2);
  });
});
