import type { Tone } from '@procurement/page-style/icons';
import { regionNames } from '@procurement/contracts/resources/regions';
import type { Language } from '@procurement/page-style/time-left';
import { visibleText } from '../format/visible-text.ts';
import cpvDivisions from './cpv-divisions.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };

type Word = Readonly<Record<Language, string>>;

/** Lists of words by code. A list grows with the API: a code without a word is shown as it is. */
export type WordList = Exclude<keyof typeof words, 'note' | 'tenderTone'>;

/** The word for a code; undefined when the code is not known. */
export function findWord(list: WordList, code: string, lang: Language): string | undefined {
  // Safe cast: each list has words of both languages by code.
  const known = words[list] as Readonly<Record<string, Word>>;
  return Object.hasOwn(known, code) ? known[code]?.[lang] : undefined;
}

const tones: Readonly<Record<string, string>> = words.tenderTone;

/** The tone of a tender's status. */
export function toneOf(status: string): Tone {
  // Safe cast: the file has tones only; a test demands it.
  return Object.hasOwn(tones, status) ? (tones[status] as Tone) : 'neutral';
}

const divisions: Readonly<Record<string, Word>> = cpvDivisions.divisions;

/** The name of a division of the CPV by the first two digits of a code; undefined for no division. */
export function divisionName(code: string, lang: Language): string | undefined {
  const digits = code.slice(0, 2);
  return Object.hasOwn(divisions, digits) ? divisions[digits]?.[lang] : undefined;
}

/** The name of a delivery region by its code; what the API says where it knows no code for it. */
export function regionName(code: string, lang: Language): string {
  return regionNames(code)?.[lang] ?? visibleText(code);
}

/** All codes of a list that have words, in their order. */
export function codesWithWords(list: WordList): readonly string[] {
  return Object.keys(words[list]);
}
