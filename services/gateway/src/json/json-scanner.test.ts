import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenJson, jsonText } from '../../test-support/json-text.ts';
import { elementStarts, findMember, parseMember, skipBlank, stringEnd, valueEnd } from './json-scanner.ts';

describe('stringEnd', () => {
  it.each([
    ['""', 2],
    ['"a"b"', 3],
    ['"\\""', 4],
    ['"\\\\"', 4],
    ['"\\\\\\""', 6],
    ['"a', Infinity],
    ['"a\\"', Infinity],
  ])('of %s is %d', (text, end) => {
    expect(stringEnd(text, 0)).toBe(end);
  });

  it('ends every string that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', 'a', '\n') }), (string) => {
        const text = JSON.stringify(string);
        expect(stringEnd(`${text}"`, 0)).toBe(text.length);
      }),
    );
  });
});

describe('valueEnd', () => {
  it.each([',', ']', '}', ' ,', '\n}', ''])('of any value followed by %j is its last character', (following) => {
    fc.assert(
      fc.property(jsonText(), (text) => {
        const isScalar = !/^["{[]/.test(text);
        // A number or literal ends by what follows it.
        const expected = isScalar && following === '' ? Infinity : text.length;
        expect(valueEnd(text + following, 0)).toBe(expected);
      }),
    );
  });

  it.each([
    ['', Infinity],
    [',', 0],
    ['{', Infinity],
    ['[{}', Infinity],
    ['{"a', Infinity],
    ['1"x,y",2', 6],
    ['1[2,3]4', 6],
  ])('of the broken text %j is %d', (text, end) => {
    expect(valueEnd(text, 0)).toBe(end);
  });

  it('ends on any text', () => {
    fc.assert(
      fc.property(brokenJson(), (text) => {
        const end = valueEnd(text, 0);
        expect(end === Infinity || end <= text.length).toBe(true);
      }),
    );
  });
});

describe('skipBlank', () => {
  it('skips the four blanks of JSON and no other character', () => {
    expect(skipBlank(' \t\r\n\u00a01', 0)).toBe(4);
    expect(skipBlank('  ', 0)).toBe(2);
    expect(skipBlank('', Infinity)).toBe(Infinity);
  });
});

describe('elementStarts and findMember', () => {
  it('find in compact text what JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (list) => {
        const text = JSON.stringify(list);
        const elements = elementStarts(text, 0).map((start) => JSON.parse(text.slice(start, valueEnd(text, start))));
        expect(elements).toEqual(JSON.parse(text));
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{0,3}$/), fc.jsonValue()), (object) => {
        const text = JSON.stringify(object);
        for (const [name, value] of Object.entries<unknown>(JSON.parse(text)))
          expect(parseMember(text, findMember(text, 0, name))).toEqual(value);
        expect(findMember(text, 0, 'absent')).toBeUndefined();
      }),
    );
  });
});
