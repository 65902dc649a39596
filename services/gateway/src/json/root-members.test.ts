import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenJson } from '../../test-support/json-text.ts';
import { rootMembers } from './root-members.ts';

describe('rootMembers', () => {
  it('finds names and values of every kind', () => {
    const text = '\ufeff { "a" : 1 , "b":"x,}" ,"c":[{"d":"]"}],"e":null}';
    const found = rootMembers(text)?.map(({ name, start, end }) => [name, text.slice(start, end)]);
    expect(found).toEqual([
      ['a', '1'],
      ['b', '"x,}"'],
      ['c', '[{"d":"]"}]'],
      ['e', 'null'],
    ]);
  });

  it.each([
    ['{'],
    ['{"a"'],
    ['{"a":'],
    ['{"a":}'],
    ['{"a":1'],
    ['{"a":"x'],
    ['{a:1}'],
    ['{"a":1 "b":2}'],
    ['{"a":1,}'],
    ['{"a":,"b":1}'],
    ['{"\\x":1}'],
    ['[]'],
    [''],
    ['1'],
  ])('returns undefined for %s', (text) => {
    expect(rootMembers(text)).toBeUndefined();
  });

  it('finds the members that JSON.parse finds, with and without blanks', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom('', ' ', '\t', '\r\n'),
        (object, blank) => {
          const text = JSON.stringify(object, null, blank);
          const parsed = rootMembers(text)?.map(({ name, start, end }) => [name, JSON.parse(text.slice(start, end))]);
          expect(parsed).toEqual(Object.entries(JSON.parse(text)));
        },
      ),
    );
  });

  it('ends on any text, and returns positions inside it', () => {
    fc.assert(
      fc.property(brokenJson(), (text) => {
        for (const { start, end } of rootMembers(text) ?? []) {
          expect([0 < start, start < end, end < text.length]).toEqual([true, true, true]);
        }
      }),
    );
  });
});
