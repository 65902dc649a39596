import { deepEqual } from '@procurement/domain/equality';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchElements } from './match-elements.ts';

type Classification = Readonly<Record<string, unknown>>;

const classification: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        id: fc.constantFrom('1', '2', null, 1),
        scheme: fc.constantFrom('CPV', 'X'),
        description: fc.constantFrom('a', 'b'),
        uri: fc.constantFrom('u', undefined),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('1', null, 5) },
);

/** The rule of generations.md 5.2.8 as it reads: equal elements first, then equal codes, then the rest in order. */
function expectedMatches(stored: readonly unknown[], sent: readonly unknown[]): readonly (number | undefined)[] {
  const free = new Set(stored.keys());
  const take = (index: number | undefined): number | undefined => {
    if (index !== undefined) free.delete(index);
    return index;
  };
  const isObject = (value: unknown): value is Classification => typeof value === 'object' && value !== null;
  const rules = [
    deepEqual,
    (a: Classification, b: Classification) => a['id'] === b['id'] && a['scheme'] === b['scheme'],
  ];
  const matches: (number | undefined)[] = sent.map(() => undefined);
  for (const rule of rules) {
    for (const [at, element] of sent.entries()) {
      if (matches[at] !== undefined || !isObject(element)) continue;
      matches[at] = take(
        [...free].find((index) => {
          const old = stored[index];
          return isObject(old) && rule(old, element);
        }),
      );
    }
  }
  return matches.map((match) => match ?? take([...free][0]));
}

describe('matchElements', () => {
  it('finds equal elements first, then those of the same code, then takes the rest in order', () => {
    fc.assert(
      fc.property(
        fc.array(classification, { maxLength: 8 }),
        fc.array(classification, { maxLength: 8 }),
        (stored, sent) => {
          expect(matchElements('Classification', stored, sent)).toEqual(expectedMatches(stored, sent));
        },
      ),
      { numRuns: 500 },
    );
  });
});
