import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePatch } from './merge.ts';

const json = fc.jsonValue({ maxDepth: 4 });
const members = fc.dictionary(fc.string(), json, { maxKeys: 5 });

/** The members without nulls: a stored document never has them. */
const stored = members.map((value) => JSON.parse(JSON.stringify(value), (_name, inner: unknown) => inner ?? undefined));

describe('mergePatch (http.md 0.3, tenders.md 11.1)', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]>([
    ['sent members replace, others stay', { a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
    [
      'objects are merged',
      { v: { amount: 1, currency: 'UAH' } },
      { v: { amount: 2 } },
      { v: { amount: 2, currency: 'UAH' } },
    ],
    ['a null at the top level is ignored', { a: 1 }, { a: null }, { a: 1 }],
    ['a nested null removes the member', { a: { b: 1, c: 2 } }, { a: { b: null } }, { a: { c: 2 } }],
    [
      'a list is merged by position',
      { l: [{ a: 1, b: 1 }, { a: 2 }] },
      { l: [{ a: 9 }, {}] },
      { l: [{ a: 9, b: 1 }, { a: 2 }] },
    ],
    ['a longer list appends', { l: [{ a: 1 }] }, { l: [{}, { a: 2 }] }, { l: [{ a: 1 }, { a: 2 }] }],
    ['a shorter list removes the rest', { l: [{ a: 1 }, { a: 2 }] }, { l: [{}] }, { l: [{ a: 1 }] }],
    ['an empty list removes all elements', { l: [1, 2] }, { l: [] }, { l: [] }],
    [
      'an id in a list does not select the element',
      { l: [{ id: 'a' }, { id: 'b' }] },
      { l: [{ id: 'b' }, {}] },
      { l: [{ id: 'b' }, { id: 'b' }] },
    ],
    ['an object replaces a scalar', { a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
    ['a scalar replaces an object', { a: { b: 2 } }, { a: 1 }, { a: 1 }],
  ])('%s', (_what, before, patch, after) => {
    expect(mergePatch(before, patch)).toEqual(after);
  });

  it('changes nothing for an empty patch', () => {
    fc.assert(
      fc.property(stored, (before) => {
        expect(mergePatch(before, {})).toEqual(before);
      }),
    );
  });

  it('changes nothing when the stored object is sent back', () => {
    fc.assert(
      fc.property(stored, (before) => {
        expect(mergePatch(before, before)).toEqual(before);
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(stored, members, (before, patch) => {
        const once = mergePatch(before, patch);
        expect(mergePatch(once, patch)).toEqual(once);
      }),
    );
  });

  it('keeps members that the patch does not name, and does not change its arguments', () => {
    fc.assert(
      fc.property(stored, members, (before, patch) => {
        const [frozenBefore, frozenPatch] = [JSON.stringify(before), JSON.stringify(patch)];
        const after = mergePatch(before, patch);
        for (const name of Object.keys(before)) {
          if (!Object.hasOwn(patch, name)) expect(after[name]).toEqual(before[name]);
        }
        expect([JSON.stringify(before), JSON.stringify(patch)]).toEqual([frozenBefore, frozenPatch]);
      }),
    );
  });

  it('never sets a prototype', () => {
    const after = mergePatch({ a: 1 }, JSON.parse('{"__proto__": {"polluted": true}, "a": {"__proto__": {"b": 1}}}'));
    expect(Object.hasOwn(after, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
