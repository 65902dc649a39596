import { describe, expect, it } from 'vitest';
import { wrongSubjects } from './check-commits.ts';

describe('wrongSubjects', () => {
  it.each([
    'kit/relay: skip two queries when the position is unchanged',
    'bids: decide a write once',
    'docs: correct a port',
  ])('accepts "%s"', (subject) => {
    expect(wrongSubjects([subject])).toEqual([]);
  });

  it.each([
    ['Say the pause to a beat more exactly', 'is not of the form'],
    ['kit: Skip two queries', 'is not of the form'],
    ['fix(kit): skip two queries', 'is not of the form'],
    [`kit: ${'skip '.repeat(14)}`, 'has 75 characters, 72 at most'],
  ])('refuses "%s"', (subject, reason) => {
    expect(wrongSubjects([subject])).toEqual([expect.stringContaining(reason)]);
  });
});
