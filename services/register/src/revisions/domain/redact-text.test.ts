import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPointer, withoutMember, withoutMemberOfBody, type MemberPath } from './redact-text.ts';

describe('readPointer', () => {
  it('reads names and places, also with the two signs that are escaped', () => {
    expect(readPointer('/questions/0/author/contactPoint')).toEqual(['questions', '0', 'author', 'contactPoint']);
    expect(readPointer('/a~1b/~0c//d')).toEqual(['a/b', '~c', '', 'd']);
  });

  it.each(['', 'questions', '/a~2', '/id', '/tenderID', '/dateModified', '/status', '/mode'])('refuses %j', (text) => {
    expect(readPointer(text)).toBeUndefined();
  });
});

describe('withoutMember', () => {
  it.each([
    ['{"a":1,"b":{"c":"x","d":500.0}}', '/b/c', '{"a":1,"b":{"d":500.0}}', ['"x"']],
    ['{"a":1,"b":2,"c":3}', '/b', '{"a":1,"c":3}', ['2']],
    ['{"a":1,"b":[1,{"c":{}}]}', '/b', '{"a":1}', ['[1,{"c":{}}]']],
    ['{"a":[{"b":1},{"b":"2","c":3}]}', '/a/1/b', '{"a":[{"b":1},{"c":3}]}', ['"2"']],
    ['{"b":"\\"}{,\\\\"}', '/b', '{}', ['"\\"}{,\\\\"']],
    [' { "a" : 1 , "b" : 2 } ', '/b', ' { "a" : 1 } ', ['2']],
    ['{"b":1,"a":2,"b":3}', '/b', '{"a":2}', ['1', '3']],
    ['{"\\u0061":1,"b":2}', '/a', '{"b":2}', ['1']],
  ])('%s without %s', (text, pointer, expected, removed) => {
    expect(withoutMember(text, readPointer(pointer) ?? [])).toEqual({ text: expected, removed });
  });

  it.each([
    ['{"a":1}', '/b'],
    ['{"a":[1,2]}', '/a/1'],
    ['{"a":[1,2]}', '/a/2/b'],
    ['{"a":"b"}', '/a/b'],
  ])('leaves %s as it is without %s', (text, pointer) => {
    expect(withoutMember(text, readPointer(pointer) ?? [])).toBeUndefined();
  });

  it('removes that member and nothing else, whatever the text is', () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true, minKeys: 1 });
    fc.assert(
      fc.property(members, members, fc.nat(), (outer, inner, n) => {
        const name = Object.keys(inner)[n % Object.keys(inner).length] ?? '';
        const path: MemberPath = ['list', '1', name];
        const text = JSON.stringify({ ...outer, list: [outer, inner], last: 1 });
        const { [name]: value, ...rest } = inner;
        expect(withoutMember(text, path)).toEqual({
          text: JSON.stringify({ ...outer, list: [outer, rest], last: 1 }),
          removed: [JSON.stringify(value)],
        });
      }),
    );
  });

  it('works on a stored text in its envelope', () => {
    expect(withoutMemberOfBody('{"data":{"a":1,"b":2}}', ['b'])?.text).toBe('{"data":{"a":1}}');
  });
});
