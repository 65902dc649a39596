import { describe, expect, it } from 'vitest';
import type { Caller } from '../auth/caller.ts';
import { makeRateLimit } from './rate-limit.ts';

const caller = (name: string, group: 'brokers' | 'auction' = 'brokers'): Caller => ({
  kind: 'broker',
  broker: { name, group, levels: '1' },
});
const anonymous: Caller = { kind: 'anonymous', credentials: 'missing' };

function makeLimit(settings: Partial<Parameters<typeof makeRateLimit>[0]> = {}) {
  let now = 0;
  const limit = makeRateLimit({ readsPerSecond: 3, writesPerSecond: 2, uploadsMax: 1, ...settings }, () => now);
  return { limit, pass: (ms: number) => (now += ms) };
}

describe('makeRateLimit', () => {
  it('counts reads by address for every caller, and fills evenly', () => {
    const { limit, pass } = makeLimit();
    const takes = [anonymous, caller('a'), caller('b'), anonymous].map((reader) =>
      limit.consume(reader, '10.0.0.1', false),
    );
    expect(takes).toEqual([0, 0, 0, 1]);
    expect(limit.consume(anonymous, '10.0.0.2', false)).toBe(0);
    pass(334);
    expect(limit.consume(anonymous, '10.0.0.1', false)).toBe(0);
    expect(limit.consume(anonymous, '10.0.0.1', false)).toBe(1);
  });

  it('counts writes by broker from any address, and by address without a broker', () => {
    const { limit } = makeLimit();
    expect(['1', '2', '3'].map((address) => limit.consume(caller('a'), address, true))).toEqual([0, 0, 1]);
    expect(limit.consume(caller('b'), '1', true)).toBe(0);
    expect(['1', '1', '1'].map((address) => limit.consume(anonymous, address, true))).toEqual([0, 0, 1]);
  });

  it('returns the wait in whole seconds', () => {
    const { limit } = makeLimit({ writesPerSecond: 0.1 });
    expect([limit.consume(anonymous, '1', true), limit.consume(anonymous, '1', true)]).toEqual([0, 10]);
  });

  it('counts neither components nor, when it is off, any caller', () => {
    const { limit } = makeLimit();
    const { limit: off } = makeLimit({ readsPerSecond: 0, writesPerSecond: 0, uploadsMax: 0 });
    for (let n = 0; n < 100; n += 1) {
      expect(limit.consume(caller('auction', 'auction'), '1', true)).toBe(0);
      expect(off.consume(anonymous, '1', n % 2 === 0)).toBe(0);
      expect(off.acquireUpload(anonymous, '1')).toBeDefined();
    }
  });

  it('bounds the simultaneous uploads of a broker', () => {
    const { limit } = makeLimit();
    const release = limit.acquireUpload(caller('a'), '1');
    expect(limit.acquireUpload(caller('a'), '2')).toBeUndefined();
    expect(limit.acquireUpload(caller('b'), '1')).toBeDefined();
    release?.();
    release?.();
    expect(limit.acquireUpload(caller('a'), '1')).toBeDefined();
    expect(limit.acquireUpload(caller('a'), '1')).toBeUndefined();
  });

  it('drops the bucket that was not used for longest beyond 50,000', () => {
    const { limit } = makeLimit({ readsPerSecond: 1 });
    const read = (address: string) => limit.consume(anonymous, address, false);
    expect([read('idle'), read('busy'), read('idle'), read('busy')]).toEqual([0, 0, 1, 1]);
    for (let n = 0; n < 49_999; n += 1) read(String(n));
    expect([read('busy'), read('idle')]).toEqual([1, 0]);
  });
});
