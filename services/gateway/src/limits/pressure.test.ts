import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchPressure, type Pressure } from './pressure.ts';

describe('watchPressure', () => {
  let pressure: Pressure | undefined;
  afterEach(() => pressure?.stop());

  it('is high while the event loop is blocked, and low when it runs again', async () => {
    pressure = watchPressure(50);
    let blocking = true;
    const block = (): void => {
      if (!blocking) return;
      const until = performance.now() + 120;
      while (performance.now() < until);
      setImmediate(block);
    };
    setImmediate(block);
    await expect.poll(() => pressure?.isHigh()).toBe(true);
    blocking = false;
    await expect.poll(() => pressure?.isHigh()).toBe(false);
  });

  it('has no timer before the first request, nor ten seconds after the last one', async () => {
    vi.useFakeTimers();
    try {
      pressure = watchPressure(50);
      expect(vi.getTimerCount()).toBe(0);
      for (const pauseMs of [9_000, 9_000, 10_000]) {
        expect(pressure.isHigh()).toBe(false);
        expect(vi.getTimerCount()).toBe(1);
        await vi.advanceTimersByTimeAsync(pauseMs);
      }
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
