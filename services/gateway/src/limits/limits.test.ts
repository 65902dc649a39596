import { afterEach, describe, expect, it } from 'vitest';
import { watchPressure, type Pressure } from './pressure.ts';
import { trustedProxies } from './trusted-proxies.ts';

describe('trustedProxies', () => {
  it.each([
    ['', '127.0.0.1', false],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['10.0.0.0/8, 192.168.0.1', '10.200.3.4', true],
    ['10.0.0.0/8, 192.168.0.1', '192.168.0.2', false],
    ['fd00::/8', 'fd12::1', true],
    ['10.0.0.0/8', 'not an address', false],
    ['10.0.0.0/8', undefined, false],
  ])('%j: is %j one of them? %j', (list, address, expected) => {
    expect(trustedProxies(list)(address)).toBe(expected);
  });

  it('refuses what is no address', () => {
    expect(() => trustedProxies('10.0.0.0/8, proxy.local')).toThrow('proxy.local is no address');
  });
});

describe('watchPressure', () => {
  let pressure: Pressure | undefined;
  afterEach(() => pressure?.stop());

  it('rises while the event loop is held up, and falls when it runs again', async () => {
    pressure = watchPressure(50);
    let holding = true;
    const hold = (): void => {
      if (!holding) return;
      const until = performance.now() + 120;
      while (performance.now() < until);
      setImmediate(hold);
    };
    setImmediate(hold);
    await expect.poll(() => pressure?.isHigh(), { timeout: 5_000 }).toBe(true);
    holding = false;
    await expect.poll(() => pressure?.isHigh(), { timeout: 5_000 }).toBe(false);
  });
});
