import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import { paperHistory, paperTenders } from '../../../test-support/paper.ts';
import { changedMembers, OPERATIONS_MAX, buildPatch, patchText } from './patch.ts';

const selectRevision = (rev: number) => paperTenders[rev - 1] ?? {};

describe('the patches of the fixture', () => {
  it.each(paperHistory.slice(1))('are exactly those of revision $rev', ({ rev, patch, changed }) => {
    const [before, after] = [selectRevision(rev - 1), selectRevision(rev)];
    expect(buildPatch(before, after)).toEqual(patch);
    expect(JSON.parse(patchText(before, after))).toEqual(patch);
    expect(changedMembers(before, after)).toEqual(changed);
  });
});

describe('patchText', () => {
  it('writes amounts with a fraction and counts without', () => {
    expect(patchText({ amount: 1, n: 1 }, { amount: 500, n: 2, value: { amount: 7 } })).toBe(
      '[{"op":"replace","path":"/amount","value":500.0},{"op":"replace","path":"/n","value":2},' +
        '{"op":"add","path":"/value","value":{"amount":7.0}}]',
    );
  });

  it('replaces the whole when there are too many operations', () => {
    const list = (length: number) => ({ list: Array.from({ length }, (_, n) => ({ id: String(n) })) });
    const whole = list(OPERATIONS_MAX + 1);
    expect(JSON.parse(patchText(list(0), list(OPERATIONS_MAX)))).toHaveLength(OPERATIONS_MAX);
    expect(JSON.parse(patchText(list(0), whole))).toEqual([{ op: 'replace', path: '', value: whole }]);
  });

  it('replaces the whole when the operations are longer than 256 kB', () => {
    const text = 'ї'.repeat(140_000);
    expect(JSON.parse(patchText({ a: 1 }, { a: text }))).toEqual([{ op: 'replace', path: '', value: { a: text } }]);
  });
});

/** Two values that have members, keys of elements and occurrences in common. */
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.integer({ min: 0, max: 3 }),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(fc.oneof(tie('element'), tie('value')), { maxLength: 5 }),
  element: fc.record({ id: fc.constantFrom('a', 'b', 'c'), x: tie('value') }),
  object: fc.dictionary(fc.constantFrom('id', 'code', 'a/b', 'c~d', 'e'), tie('value'), { maxKeys: 4 }),
})).object;

describe('buildPatch', () => {
  it('gives the new value when it is applied to the old one', () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        const patched = structuredClone(before);
        applyPatch(patched, buildPatch(before, after) as Parameters<typeof applyPatch>[1]);
        expect(patched).toEqual(after);
      }),
      { numRuns: 500 },
    );
  });

  it('takes time in proportion to the length of lists', () => {
    const list = Array.from({ length: 30_000 }, (_, n) => ({ id: String(n), n }));
    expect(buildPatch(list, list.slice(1))).toEqual([{ op: 'remove', path: '/0' }]);
  });

  it('escapes names of members', () => {
    expect(buildPatch({}, { 'a/b~c': 1 })).toEqual([{ op: 'add', path: '/a~1b~0c', value: 1 }]);
  });
});
