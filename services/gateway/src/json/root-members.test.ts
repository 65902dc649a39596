import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenJson } from '../../test-support/json-text.ts';
import { ROOT_MEMBERS_MAX, visitRootMembers } from './root-members.ts';

type Found = readonly [name: string, start: number, end: number];

/** The members of these names; undefined when the text is broken. */
function findMembers(text: string, names: readonly string[]): readonly Found[] | undefined {
  const found: Found[] = [];
  return visitRootMembers(text, names, (...member) => found.push(member)) ? found : undefined;
}

describe('visitRootMembers', () => {
  it('finds names and values of every kind', () => {
    const text = '\ufeff { "a" : 1 , "b":"x,}" ,"c":[{"d":"]"}],"e":null}';
    const found = findMembers(text, ['a', 'c', 'b', 'd'])?.map(([name, start, end]) => [name, text.slice(start, end)]);
    expect(found).toEqual([
      ['a', '1'],
      ['b', '"x,}"'],
      ['c', '[{"d":"]"}]'],
    ]);
  });

  it('finds a name with escapes, and no other', () => {
    const text = '{"\\u0061ccess":1,"\\u0061cces":2,"acc\\u0065s\\u0073":3,"\\x":4,"\\u0041ccess":5}';
    expect(findMembers(text, ['access'])?.map(([, start, end]) => text.slice(start, end))).toEqual(['1', '3']);
  });

  it('stops after the first 1,000 members', () => {
    const text = `{${'"b":0,'.repeat(ROOT_MEMBERS_MAX)}"a":1 this is not JSON`;
    expect(findMembers(text, ['a'])).toEqual([]);
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
    ['[]'],
    [''],
    ['1'],
  ])('returns undefined for %s', (text) => {
    expect(findMembers(text, ['a'])).toBeUndefined();
  });

  it('finds the members that JSON.parse finds, with and without blanks', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom('', ' ', '\t', '\r\n'),
        (object, blank) => {
          const text = JSON.stringify(object, null, blank);
          const found = findMembers(text, Object.keys(object));
          const parsed = found?.map(([name, start, end]) => [name, JSON.parse(text.slice(start, end))]);
          expect(parsed).toEqual(Object.entries(JSON.parse(text)));
        },
      ),
    );
  });

  it('ends on any text, and returns positions inside it', () => {
    fc.assert(
      fc.property(brokenJson(), (text) => {
        for (const [, start, end] of findMembers(text, ['a', '']) ?? []) {
          expect([0 < start, start < end, end < text.length]).toEqual([true, true, true]);
        }
      }),
    );
  });
});
