import { readFileSync } from 'node:fs';
import type { Tender } from '@procurement/client';
import { PUBLICATION_CAUSES } from '@procurement/contracts/resources/causes';
import { timeLeft, type Language } from '@procurement/page-style/time-left';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../format/instant.ts';
import type { Money } from './money.ts';
import { formatMoney } from '../format/money.ts';
import { findWord, type WordList } from '../texts/words.ts';
import { lifeLine } from './life-line.ts';
import { nowSentence } from './now.ts';
import { safeLink } from './safe-link.ts';

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const cases = read('../../test-support/fixtures/cases.json');
const EXAMPLES = '../../../../packages/ocds/examples';
const paper: Tender[] = read(`${EXAMPLES}/paper.states.json`);
const cancelled: Tender[] = read(`${EXAMPLES}/cancelled-before-opening.states.json`);
interface LifeCase {
  readonly from: string;
  readonly now: string;
  readonly status: string;
  readonly steps: readonly unknown[];
  readonly config?: { readonly hasAuction: boolean };
}

interface LinkCase {
  readonly value: string;
  readonly link: object | null;
}

const LANGUAGES = ['uk', 'en'] as const;

/** The tender of a case of the oracle, by its description. */
function tenderOfCase(from: string, status: string): Tender {
  if (from.startsWith('cancelled')) return { ...cancelled.at(-1)! };
  const tender = paper[Number(/json (\d)/.exec(from)?.[1])]!;
  if (from.includes('without auctionPeriod')) return { ...tender, auctionPeriod: undefined } as unknown as Tender;
  if (!from.includes('unsuccessful without bids')) return tender;
  const {
    awards: _awards,
    contracts: _contracts,
    awardPeriod: _award,
    auctionPeriod: _auction,
    bids: _bids,
    ...bare
  } = tender;
  return { ...bare, status } as Tender;
}

describe('the oracle of the specification (portal.md, P2)', () => {
  it.each<[string, LifeCase]>(cases.lifeLine.map((one: LifeCase): [string, LifeCase] => [one.from, one]))(
    'life line: %s',
    (_from, one) => {
      const { from, now, status, steps, config } = one;
      const { submissionMethod: _method, ...withoutAuction } = tenderOfCase(from, status);
      const shown = lifeLine(config?.hasAuction === false ? withoutAuction : tenderOfCase(from, status), now);
      expect(shown.map(({ step, state, until }) => [step, state, until ?? null])).toEqual(steps);
    },
  );

  it.each(LANGUAGES)('money, instants and time left in %s', (lang: Language) => {
    for (const one of cases.money) expect(formatMoney(one.value as Money, lang)).toBe(one[lang]);
    for (const one of cases.instant) expect(formatInstant(one.value, lang)).toBe(one[lang]);
    for (const one of cases.remaining) expect(timeLeft(one.milliseconds, lang)).toBe(one[lang]);
  });

  it.each<[string, LinkCase]>(cases.safeLink.map((one: LinkCase): [string, LinkCase] => [one.value, one]))(
    'address: %j',
    (value, one) => {
      expect(safeLink(value, ['127.0.0.1:8080']) ?? null).toEqual(one.link);
    },
  );
});

describe('words', () => {
  it('every cause of the contracts has a word in both languages', () => {
    for (const lang of LANGUAGES)
      expect(PUBLICATION_CAUSES.filter((cause) => findWord('cause', cause, lang) === undefined)).toEqual([]);
  });

  it('a code of an object prototype is no word', () => {
    for (const list of ['cause', 'tenderStatus'] satisfies WordList[])
      expect(findWord(list, 'constructor', 'uk')).toBeUndefined();
  });

  it('every state of a story has a sentence of what happens now', () => {
    for (const tender of [...paper, ...cancelled])
      for (const lang of LANGUAGES)
        expect(findWord('now', nowSentence(tender, Date.parse(tender.dateModified)).key, lang)).toMatch(/\p{L}/u);
  });

  it.each(['active.enquiries', 'active.tendering'] as const)(
    '%s without periods, as in segment 0.1, leaves no gap',
    (status) => {
      const { enquiryPeriod: _enquiries, tenderPeriod: _tendering, ...rest } = paper[0]!;
      const { key, values } = nowSentence({ ...rest, status }, 0);
      for (const lang of LANGUAGES)
        for (const [, name] of findWord('now', key, lang)!.matchAll(/\{(\w+)\}/g))
          expect(values).toHaveProperty(name!, expect.anything());
    },
  );
});
