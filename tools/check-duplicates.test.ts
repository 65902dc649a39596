import { describe, expect, it } from 'vitest';
import { duplicateProblems, findDuplicates, type Duplicate } from './check-duplicates.ts';

const FUNCTION = `export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}`;
const TOKENS = 35;

describe('findDuplicates', () => {
  it('finds a copy whose comments and layout differ', () => {
    const copy = FUNCTION.replace('let total', '// From zero.\n  let    total').replace('; for', ';\n\n for');
    expect(
      findDuplicates(
        [
          { path: 'a.ts', text: `import { x } from './x.ts';\n\n${FUNCTION}\n` },
          { path: 'b.ts', text: `const before = 1;\n${copy}\nconst after = 2;\n` },
        ],
        20,
      ),
    ).toEqual([
      {
        first: { path: 'a.ts', firstLine: 3, lastLine: 7 },
        second: { path: 'b.ts', firstLine: 2, lastLine: 7 },
        tokens: TOKENS,
      },
    ]);
  });

  it('finds a copy within one file, and the third copy beside the second', () => {
    const inOne = findDuplicates([{ path: 'a.ts', text: `${FUNCTION}\n${FUNCTION}\n` }], TOKENS);
    expect(inOne.map(({ first, second }) => [first.firstLine, second.firstLine])).toEqual([[1, 6]]);
    const files = ['a.ts', 'b.ts', 'c.ts'].map((path) => ({ path, text: FUNCTION }));
    expect(findDuplicates(files, TOKENS).map(({ first, second }) => [first.path, second.path])).toEqual([
      ['a.ts', 'b.ts'],
      ['a.ts', 'c.ts'],
    ]);
  });

  it('passes over shorter runs, other names, and imports', () => {
    expect(
      findDuplicates(
        [
          { path: 'a.ts', text: FUNCTION },
          { path: 'b.ts', text: FUNCTION },
        ],
        TOKENS + 1,
      ),
    ).toEqual([]);
    expect(
      findDuplicates(
        [
          { path: 'a.ts', text: FUNCTION },
          { path: 'b.ts', text: FUNCTION.replaceAll('total', 'all') },
        ],
        20,
      ),
    ).toEqual([]);
    const imports = Array.from({ length: 20 }, (_, at) => `import { a${at} } from './a${at}.ts';`).join('\n');
    expect(
      findDuplicates(
        [
          { path: 'a.ts', text: imports },
          { path: 'b.ts', text: imports },
        ],
        20,
      ),
    ).toEqual([]);
  });
});

describe('duplicateProblems', () => {
  const duplicate: Duplicate = {
    first: { path: 'a.ts', firstLine: 1, lastLine: 9 },
    second: { path: 'b.ts', firstLine: 11, lastLine: 19 },
    tokens: 100,
  };
  const entry = { files: ['b.ts', 'a.ts'], tokensMax: 100, why: 'Two services may not share it.' } as const;

  it('names both places of a duplicate', () => {
    expect(duplicateProblems([duplicate], [])).toEqual(['b.ts:11-19 repeats a.ts:1-9 (100 tokens)']);
  });

  it('accepts what the allow list has a reason for, until it grows', () => {
    expect(duplicateProblems([duplicate], [entry])).toEqual([]);
    expect(duplicateProblems([{ ...duplicate, tokens: 101 }], [entry])).toEqual([
      'b.ts:11-19 repeats a.ts:1-9 (101 tokens, 100 are allowed)',
    ]);
  });

  it('names an entry that allows nothing', () => {
    expect(duplicateProblems([], [entry])).toEqual(['duplicates.allowed.json: b.ts and a.ts have no duplicate']);
  });
});
