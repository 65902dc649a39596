import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { foldText, termsOf } from './words.ts';

const fixture = new URL('../../../test-support/fixtures/words.cases.json', import.meta.url);
const cases: readonly { text: string; terms: readonly (readonly string[])[] }[] = JSON.parse(
  readFileSync(fixture, 'utf8'),
);

describe('termsOf', () => {
  it.each(cases)('gives the terms of the fixture for "$text"', ({ text, terms }) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('gives forms of one Ukrainian word one stem, and adjectives of it another', () => {
    const stems = (text: string) => termsOf(text).map((terms) => terms.find((term) => term.startsWith('~')));
    expect(new Set(stems('папір паперу папером папери')).size).toBe(1);
    expect(stems('паперовий')).not.toEqual(stems('папір'));
  });

  it('gives a code one term, whichever alphabet its letters are of', () => {
    expect(termsOf('А4')).toEqual(termsOf('A4'));
  });

  it.each(['комп’ютер', "комп'ютер", 'компютер', 'КОМПʼЮТЕР'])('ignores the kind of the apostrophe in %s', (text) => {
    expect(termsOf(text)).toEqual(termsOf('компютер'));
  });

  it('is linear in the length of a text of one letter', () => {
    expect(termsOf('о'.repeat(100_000))[0]?.[0]).toHaveLength(64);
  });

  it('never gives a word that begins as a stem or a key does', () => {
    expect(
      termsOf('~папір =cpv:30 =buyer:UA-EDR-1')
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
