import { describe, expect, it } from 'vitest';
import { batchReads } from './batch-reads.ts';

describe('batchReads', () => {
  it('loads the distinct keys of one turn at once, and caches nothing', async () => {
    const loads: (readonly string[])[] = [];
    const read = batchReads<string>(async (keys) => {
      loads.push(keys);
      return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]));
    });
    expect(await Promise.all([read('a'), read('b'), read('a'), read('none')])).toEqual(['A', 'B', 'A', undefined]);
    expect(await read('a')).toBe('A');
    expect(loads).toEqual([['a', 'b', 'none'], ['a']]);
  });

  it('rejects every read of a failed load, and works again afterwards', async () => {
    let broken = true;
    const read = batchReads<string>(async (keys) => {
      if (broken) throw new Error('unavailable');
      return new Map(keys.map((key) => [key, key]));
    });
    const results = await Promise.allSettled([read('a'), read('b')]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await read('a')).toBe('a');
  });

  it('loads at most `keysMax` keys at once', async () => {
    const sizes: number[] = [];
    const read = batchReads<string>(async (keys) => {
      sizes.push(keys.length);
      return new Map(keys.map((key) => [key, key]));
    }, 10);
    await Promise.all(Array.from({ length: 25 }, async (_, n) => read(String(n))));
    expect(Math.max(...sizes)).toBe(10);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(25);
  });
});
