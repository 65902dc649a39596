import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepEqual } from './equality.ts';

describe('deepEqual', () => {
  it.each([
    ['members in another order', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
    ['an undefined member, and none', { a: 1, b: undefined }, { a: 1 }, true],
    ['a null member, and none', { a: null }, {}, false],
    ['0 and -0', { a: 0 }, { a: -0 }, true],
    ['a number and its text', 1, '1', false],
    ['lists in another order', [1, 2], [2, 1], false],
    ['a list and a longer one', [1], [1, 2], false],
    ['an empty list and an empty object', [], {}, false],
    ['an object and null', {}, null, false],
  ])('%s', (_what, a, b, expected) => {
    expect(deepEqual(a, b)).toBe(expected);
    expect(deepEqual(b, a)).toBe(expected);
  });

  it('is true for a value and the value parsed from its JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => deepEqual(value, JSON.parse(JSON.stringify(value)))));
  });

  it('is false when one member differs', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.integer()),
        (object) => !deepEqual({ ...object, x: 1 }, { ...object, x: 2 }),
      ),
    );
  });
});
