import { describe, expect, it } from 'vitest';
import { omitEmpty } from './omit-empty.ts';

describe('omitEmpty', () => {
  it('removes null, undefined, empty lists and empty objects at any depth, and what becomes empty by that', () => {
    const given = {
      a: null,
      b: undefined,
      c: [],
      d: {},
      e: { f: { g: [] } },
      h: [{ i: null, j: 1 }],
      k: 0,
      l: '',
      m: false,
    };
    const kept = omitEmpty<object>(given);
    expect(Object.entries(kept)).toEqual([
      ['h', [{ j: 1 }]],
      ['k', 0],
      ['l', ''],
      ['m', false],
    ]);
    expect(given.h).toEqual([{ i: null, j: 1 }]);
  });

  it('keeps elements that become empty, because their positions count', () => {
    expect(omitEmpty<object>({ list: [{ a: null }, 1] })).toEqual({ list: [{}, 1] });
  });

  it('copies nothing of a value that has nothing to remove', () => {
    const whole = { a: [{ b: 1 }], c: { d: 'x' } };
    expect(omitEmpty(whole)).toBe(whole);
    const partly = { ...whole, e: null };
    expect(omitEmpty<{ readonly c: object }>(partly).c).toBe(whole.c);
  });

  it('keeps a member called __proto__ as a member', () => {
    const given: object = JSON.parse('{"__proto__": {"a": 1}, "b": null}');
    expect(JSON.stringify(omitEmpty(given))).toBe('{"__proto__":{"a":1}}');
  });
});
