import { padId } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import { cursorText, readCursor, searchKey } from './search-cursor.ts';

const KEYS = ['a'.repeat(32), 'b'.repeat(32)];
const PLACE = { at: '123.45', id: padId('1') };
const key = (query: string, sort = 'amount'): string => searchKey(new URLSearchParams(query), sort);

describe('cursors of searches', () => {
  it('give the place back, also when their key is no longer the first', () => {
    const cursor = cursorText(PLACE, key('q=a&sort=amount'), KEYS);
    expect(readCursor(cursor, key('sort=amount&q=a&limit=5&total=1'), KEYS)).toEqual(PLACE);
    expect(readCursor(cursor, key('q=a&sort=amount'), KEYS.toReversed())).toEqual(PLACE);
  });

  it('are refused for another search, another key, or with one bit changed', () => {
    const search = key('q=a');
    const cursor = cursorText(PLACE, search, KEYS);
    expect(readCursor(cursor, key('q=b'), KEYS)).toBeUndefined();
    expect(readCursor(cursor, key('q=a', 'relevance'), KEYS)).toBeUndefined();
    expect(readCursor(cursor, search, ['c'.repeat(32)])).toBeUndefined();
    for (let at = 0; at < cursor.length; at += 1) {
      const forged = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      expect(readCursor(forged, search, KEYS)).toBeUndefined();
    }
    for (const text of ['', '!', 'AAAA', 'A'.repeat(200)]) expect(readCursor(text, search, KEYS)).toBeUndefined();
  });
});
