import { afterEach, describe, expect, it } from 'vitest';
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
});
