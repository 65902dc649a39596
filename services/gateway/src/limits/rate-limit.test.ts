import { describe, expect, it } from 'vitest';
import type { Caller } from '../auth/caller.ts';
import { makeRateLimit, type AnnouncedBody, type RateLimit } from './rate-limit.ts';

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

/** `Retry-After` of one request. */
const seconds = ({ consume }: RateLimit, ...request: Parameters<RateLimit['consume']>): number =>
  consume(...request).retryAfterSeconds;

describe('makeRateLimit', () => {
  it('counts reads by address for every caller, and fills evenly', () => {
    const { limit, pass } = makeLimit();
    const takes = [anonymous, caller('a'), caller('b'), anonymous].map((reader) =>
      seconds(limit, reader, '10.0.0.1', false),
    );
    expect(takes).toEqual([0, 0, 0, 1]);
    expect(seconds(limit, anonymous, '10.0.0.2', false)).toBe(0);
    pass(334);
    expect(seconds(limit, anonymous, '10.0.0.1', false)).toBe(0);
    expect(seconds(limit, anonymous, '10.0.0.1', false)).toBe(1);
  });

  it('counts writes by broker from any address, and by address without a broker', () => {
    const { limit } = makeLimit();
    expect(['1', '2', '3'].map((address) => seconds(limit, caller('a'), address, true))).toEqual([0, 0, 1]);
    expect(seconds(limit, caller('b'), '1', true)).toBe(0);
    expect(['1', '1', '1'].map((address) => seconds(limit, anonymous, address, true))).toEqual([0, 0, 1]);
  });

  it('counts a JSON body by its size, at most a whole bucket, and one without a length as four writes', () => {
    const { limit, pass } = makeLimit({ writesPerSecond: 20 });
    const left = (body: AnnouncedBody): string | undefined =>
      limit.consume(caller('a'), '1', true, undefined, body).headers?.['ratelimit'];
    expect(left({ bytes: 65_535 })).toBe('"writes";r=19;t=1');
    expect(left({ bytes: 400_000 })).toBe('"writes";r=12;t=1');
    expect(left({ bytes: undefined })).toBe('"writes";r=8;t=1');
    expect(left({ bytes: 4_194_304 })).toBe('"writes";r=0;t=1');
    expect(seconds(limit, caller('a'), '1', true, undefined, { bytes: 600_000 })).toBe(1);
    pass(1_000);
    expect(seconds(limit, caller('a'), '1', true, undefined, { bytes: 4_194_304 })).toBe(0);
    expect(seconds(limit, caller('a'), '1', true)).toBe(1);
  });

  it('counts a read of a class by its own rate, by broker where there is a key, and always tells what is left', () => {
    const { limit, pass } = makeLimit();
    const ids = (count: number) => ({ name: 'lookup', query: `ids=${Array.from({ length: count }).join()}` }) as const;
    const lookup = (reader: Caller, count: number) => limit.consume(reader, '1', false, ids(count));
    expect(lookup(anonymous, 100).headers?.['ratelimit']).toBe('"lookup";r=9;t=1');
    expect(lookup(anonymous, 80).headers?.['ratelimit']).toBe('"lookup";r=0;t=1');
    expect(lookup(anonymous, 1).retryAfterSeconds).toBe(1);
    pass(51);
    expect(lookup(anonymous, 1).retryAfterSeconds).toBe(0);
    expect(seconds(limit, anonymous, '1', false)).toBe(0);
    expect(lookup(caller('a'), 1).headers?.['ratelimit-policy']).toBe('"lookup";q=60;w=1');
  });

  it('lets a client wait for what its answers counted, at most 10 s, and nobody else', () => {
    const { limit, pass } = makeLimit({ readsPerSecond: 3 });
    limit.charge(anonymous, '1', false, 4);
    expect(seconds(limit, anonymous, '1', false)).toBe(1);
    expect(seconds(limit, anonymous, '2', false)).toBe(0);
    pass(1_000);
    expect(seconds(limit, anonymous, '1', false)).toBe(0);
    for (let n = 0; n < 100; n += 1) limit.charge(anonymous, '1', false, 1_000);
    expect(seconds(limit, anonymous, '1', false)).toBe(11);
    limit.charge(caller('a'), '1', true, 4);
    expect(seconds(limit, caller('a'), '2', true)).toBe(1);
    expect(seconds(limit, caller('b'), '1', true)).toBe(0);
    limit.charge(caller('a'), '1', false, 1_000, 'history');
    expect(seconds(limit, caller('a'), '1', false, { name: 'history', query: '' })).toBe(1);
    expect(seconds(limit, anonymous, '1', false, { name: 'history', query: '' })).toBe(0);
  });

  it('has no rates of classes where reads have none', () => {
    const { limit } = makeLimit({ readsPerSecond: 0 });
    const reads = Array.from({ length: 100 }, () =>
      limit.consume(anonymous, '1', false, { name: 'history', query: '' }),
    );
    expect(reads.every(({ retryAfterSeconds }) => retryAfterSeconds === 0)).toBe(true);
  });

  it('returns the wait in whole seconds', () => {
    const { limit } = makeLimit({ writesPerSecond: 0.1 });
    expect([seconds(limit, anonymous, '1', true), seconds(limit, anonymous, '1', true)]).toEqual([0, 10]);
  });

  it('tells a client that writes, is refused or is near the limit what is left', () => {
    const { limit } = makeLimit({ readsPerSecond: 4, writesPerSecond: 0.1 });
    const headers = (write: boolean) => limit.consume(anonymous, '1', write).headers;
    const near = (remaining: number) => ({
      'ratelimit-policy': '"reads";q=4;w=1',
      ratelimit: `"reads";r=${remaining};t=1`,
    });
    expect([headers(false), headers(false), headers(false), headers(false), headers(false)]).toEqual([
      undefined,
      near(2),
      near(1),
      near(0),
      near(0),
    ]);
    expect([headers(true), headers(true)]).toEqual([
      { 'ratelimit-policy': '"writes";q=1;w=10', ratelimit: '"writes";r=0;t=10' },
      { 'ratelimit-policy': '"writes";q=1;w=10', ratelimit: '"writes";r=0;t=10' },
    ]);
  });

  it('counts neither components nor, when it is off, any caller', () => {
    const { limit } = makeLimit();
    const { limit: off } = makeLimit({ readsPerSecond: 0, writesPerSecond: 0, uploadsMax: 0 });
    for (let n = 0; n < 100; n += 1) {
      expect(seconds(limit, caller('auction', 'auction'), '1', true)).toBe(0);
      expect(seconds(off, anonymous, '1', n % 2 === 0)).toBe(0);
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
    const read = (address: string) => seconds(limit, anonymous, address, false);
    expect([read('idle'), read('busy'), read('idle'), read('busy')]).toEqual([0, 0, 1, 1]);
    for (let n = 0; n < 49_999; n += 1) read(String(n));
    expect([read('busy'), read('idle')]).toEqual([1, 0]);
  });
});
