import { describe, expect, it, vi } from 'vitest';
import { makeResponseCache } from './response-cache.ts';

describe('the memory of mapped answers', () => {
  it('keeps what is asked for a second time: then equal bytes are mapped no more, other bytes anew', () => {
    const remembered = makeResponseCache();
    const map = vi.fn<(text: string) => string>((text) => text.toUpperCase());
    const answers = ['a', 'a', 'a', 'b', 'a'].map((text) => remembered('key', Buffer.from(text), map).toString());
    expect(answers).toEqual(['A', 'A', 'A', 'B', 'A']);
    expect(map.mock.calls.map(([text]) => text)).toEqual(['a', 'a', 'b', 'a']);
  });

  it('forgets that a key was asked for when many others were since', () => {
    const remembered = makeResponseCache();
    const map = vi.fn<(text: string) => string>((text) => text);
    const ask = (key: string): Buffer => remembered(key, Buffer.from('a'), map);
    ask('once');
    for (let n = 0; n < 5_000; n += 1) ask(String(n));
    map.mockClear();
    for (let n = 0; n < 3; n += 1) ask('once');
    expect(map).toHaveBeenCalledTimes(2);
  });

  it('keeps the letters of UTF-8', () => {
    const answer = Buffer.from('{"title":"футляри 💶"}');
    const shown = makeResponseCache()('key', answer, (text) => text.replace('title', 'name'));
    expect(shown.toString('utf8')).toBe('{"name":"футляри 💶"}');
  });

  it('tells keys apart', () => {
    const remembered = makeResponseCache();
    expect(remembered('1', Buffer.from('a'), () => 'x').toString()).toBe('x');
    expect(remembered('2', Buffer.from('a'), () => 'y').toString()).toBe('y');
  });

  it('stays bounded: what was not used for longest goes, and what is too big never stays', () => {
    const remembered = makeResponseCache();
    const big = Buffer.alloc(100 * 1024, 'x');
    const map = vi.fn<(text: string) => string>((text) => text);
    const keys = Array.from({ length: 200 }, (_, n) => String(n));
    for (const key of ['first', ...keys]) remembered(key, big, map);
    for (const key of keys) {
      remembered('first', big, map);
      remembered(key, big, map);
    }
    expect(map).toHaveBeenCalledTimes(201 + 1 + 200);
    map.mockClear();
    for (const key of ['first', '199', '0']) remembered(key, big, map);
    expect(map).toHaveBeenCalledTimes(1);
    map.mockClear();
    const huge = Buffer.alloc(200 * 1024, 'x');
    for (let n = 0; n < 3; n += 1) remembered('huge', huge, map);
    expect(map).toHaveBeenCalledTimes(3);
  });
});
