import { describe, expect, it } from 'vitest';
import { storableJson } from './storable-json.ts';

describe('storableJson', () => {
  it.each([
    ['NUL', 'a\0b', 'a\uFFFDb'],
    ['the first half of a pair', 'a\uD83Db', 'a\uFFFDb'],
    ['the second half of a pair', 'a\uDE00b', 'a\uFFFDb'],
  ])('replaces %s, at any depth', (_what, text, expected) => {
    expect(JSON.parse(storableJson([{ one: { two: [text] } }]))).toEqual([{ one: { two: [expected] } }]);
  });

  it.each([['😀 їжак'], ['\\u0000 and \\ud800 as letters'], ['"quoted" \\ \n']])('keeps %j', (text) => {
    const rows = [{ text, n: 1.5, none: null, list: [true] }];
    expect(JSON.parse(storableJson(rows))).toEqual(rows);
  });
});
