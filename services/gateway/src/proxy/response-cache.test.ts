import { describe, expect, it, vi } from 'vitest';
import { makeResponseCache } from './response-cache.ts';

describe('makeResponseCache', () => {
  it('caches at the second request; then maps only other bytes', () => {
    const cache = makeResponseCache();
    const map = vi.fn<(text: string) => string>((text) => text.toUpperCase());
    const responses = ['a', 'a', 'a', 'b', 'a'].map((text) => cache('key', Buffer.from(text), map).toString());
    expect(responses).toEqual(['A', 'A', 'A', 'B', 'A']);
    expect(map.mock.calls.map(([text]) => text)).toEqual(['a', 'a', 'b', 'a']);
  });

  it('forgets a key that was requested once, after 4,096 others', () => {
    const cache = makeResponseCache();
    const map = vi.fn<(text: string) => string>((text) => text);
    const request = (key: string): Buffer => cache(key, Buffer.from('a'), map);
    request('once');
    for (let n = 0; n < 5_000; n += 1) request(String(n));
    map.mockClear();
    for (let n = 0; n < 3; n += 1) request('once');
    expect(map).toHaveBeenCalledTimes(2);
  });

  it('keeps the characters of UTF-8', () => {
    const response = Buffer.from('{"title":"футляри 💶"}');
    const mapped = makeResponseCache()('key', response, (text) => text.replace('title', 'name'));
    expect(mapped.toString('utf8')).toBe('{"name":"футляри 💶"}');
  });

  it('keeps a copy of the bytes, not the chunk that they are a part of', () => {
    const cache = makeResponseCache();
    const map = vi.fn<(text: string) => string>((text) => text);
    const chunk = Buffer.from('a, b');
    for (let n = 0; n < 2; n += 1) cache('key', chunk.subarray(0, 1), map);
    chunk.fill('b');
    expect(cache('key', Buffer.from('a'), map).toString()).toBe('a');
    expect(map).toHaveBeenCalledTimes(2);
  });

  it('does not cache under a key of more than 1 KiB', () => {
    const cache = makeResponseCache();
    const map = vi.fn<(text: string) => string>((text) => text);
    for (let n = 0; n < 3; n += 1) cache('k'.repeat(1_025), Buffer.from('a'), map);
    expect(map).toHaveBeenCalledTimes(3);
  });

  it('separates keys', () => {
    const cache = makeResponseCache();
    expect(cache('1', Buffer.from('a'), () => 'x').toString()).toBe('x');
    expect(cache('2', Buffer.from('a'), () => 'y').toString()).toBe('y');
  });

  it('bounds its bytes, evicts the entry that was not used for longest, and never caches a large one', () => {
    const cache = makeResponseCache();
    const big = Buffer.alloc(100 * 1024, 'x');
    const map = vi.fn<(text: string) => string>((text) => text);
    const keys = Array.from({ length: 200 }, (_, n) => String(n));
    for (const key of ['first', ...keys]) cache(key, big, map);
    for (const key of keys) {
      cache('first', big, map);
      cache(key, big, map);
    }
    expect(map).toHaveBeenCalledTimes(201 + 1 + 200);
    map.mockClear();
    for (const key of ['first', '199', '0']) cache(key, big, map);
    expect(map).toHaveBeenCalledTimes(1);
    map.mockClear();
    const huge = Buffer.alloc(200 * 1024, 'x');
    for (let n = 0; n < 3; n += 1) cache('huge', huge, map);
    expect(map).toHaveBeenCalledTimes(3);
  });
});
