import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { foldText, parseTerms } from './words.ts';

const fixture = new URL('../../../test-support/fixtures/words.cases.json', import.meta.url);
const cases: readonly { text: string; terms: readonly (readonly string[])[] }[] = JSON.parse(
  readFileSync(fixture, 'utf8'),
);

describe('parseTerms', () => {
  it.each(cases)('gives the terms of the fixture for "$text"', ({ text, terms }) => {
    expect(parseTerms(text)).toEqual(terms);
  });

  it('gives forms of one Ukrainian word one stem, and adjectives of it another', () => {
    const stems = (text: string) => parseTerms(text).map((terms) => terms.find((term) => term.startsWith('~')));
    expect(new Set(stems('папір паперу папером папери')).size).toBe(1);
    expect(stems('паперовий')).not.toEqual(stems('папір'));
  });

  it('gives a code one term, whichever alphabet its letters are of', () => {
    expect(parseTerms('А4')).toEqual(parseTerms('A4'));
  });

  it.each(['комп’ютер', "комп'ютер", 'компютер', 'КОМПʼЮТЕР'])('ignores the kind of the apostrophe in %s', (text) => {
    expect(parseTerms(text)).toEqual(parseTerms('компютер'));
  });

  it('is linear in the length of a text of one letter', () => {
    expect(parseTerms('о'.repeat(100_000))[0]?.[0]).toHaveLength(64);
  });

  it('never gives a word that begins as a stem or a key does', () => {
    expect(
      parseTerms('~папір =cpv:30 =buyer:UA-EDR-1')
        .flat()
        .some((term) => term.startsWith('=')),
    ).toBe(false);
  });
});

describe('foldText', () => {
  it('composes letters before it compares them', () => {
    expect(foldText('Їжак')).toBe(foldText('Їжак'.normalize('NFD')));
  });
});
