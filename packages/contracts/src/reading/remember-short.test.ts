import { describe, expect, it, vi } from 'vitest';
import { rememberShort } from './remember-short.ts';

describe('rememberShort', () => {
  it('converts a short text once, a long one each time, and also what gives undefined once', () => {
    const convert = vi.fn<(text: string) => number | undefined>((text) => (text === 'none' ? undefined : text.length));
    const read = rememberShort(convert, { textsMax: 10, charactersMax: 5 });
    expect(['abc', 'abc', 'none', 'none', 'longer', 'longer'].map(read)).toEqual([3, 3, undefined, undefined, 6, 6]);
    expect(convert.mock.calls.map(([text]) => text)).toEqual(['abc', 'none', 'longer', 'longer']);
  });

  it('forgets all when there are too many, and tells texts apart that differ in half of a surrogate pair', () => {
    const convert = vi.fn<(text: string) => string>((text) => `${text}!`);
    const read = rememberShort(convert, { textsMax: 2, charactersMax: 5 });
    expect(['\uD800', '\uD801', '\uD800', 'c', '\uD800'].map(read)).toEqual([
      '\uD800!',
      '\uD801!',
      '\uD800!',
      'c!',
      '\uD800!',
    ]);
    expect(convert).toHaveBeenCalledTimes(4);
  });
});
