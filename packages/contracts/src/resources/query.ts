import { z } from 'zod';

// Forms of parameters, for OpenAPI. The services read by tables of their own (`tools/openapi/parameter-patterns.test.ts` compares) and
// take a little more: other forms of ISO 8601, other years. \d and \s mean more characters in some languages than in others.

const YEAR = '(?:19|20|21)[0-9]{2}';
const LEAP_DAY = '(?:(?:19|20|21)(?:0[48]|[2468][048]|[13579][26])|2000)-02-29';
const DAY_OF_MONTH =
  '(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)';
const DATE = `(?:${YEAR}-${DAY_OF_MONTH}|${LEAP_DAY})`;
const MINUTES = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
/** A plus that was not escaped is a space. */
const TIME = String.raw`T${MINUTES}(?::[0-5][0-9](?:\.[0-9]{1,9})?)?(?:Z|[ +-]${MINUTES})?`;
const DATE_TIME = `${DATE}(?:${TIME})?`;
/** What follows a second dot is ignored (http.md 1.3). */
export const POSITION = String.raw`(?:[0-9]{1,12}(?:\.[0-9]+)?(?:\..*)?|${DATE_TIME})`;

/** A parameter of this form. An empty value counts as absent. */
export function formed(pattern: string): z.ZodString {
  return z.string().regex(new RegExp(`^(?:${pattern})?$`, 'u'));
}

/** Values separated by commas, with or without spaces. */
export function listForm(entry: string, entriesMax = 50): string {
  return ` *(?:${entry}) *(?:, *(?:${entry}) *){0,${entriesMax - 1}}`;
}

/** Words separated by commas. */
export function listOfWords(words: readonly string[]): z.ZodString {
  return formed(listForm(words.map((word) => word.replaceAll('.', String.raw`\.`)).join('|')));
}

/** Texts of up to `charactersMax` characters, separated by commas. No text has the character 0, which PostgreSQL cannot store. */
export function listOfTexts(charactersMax: number): z.ZodString {
  return formed(listForm(String.raw`[^,\u0000]{0,${charactersMax}}`));
}

/** What an answer gave to go on with. */
export function cursor(charactersMax: number): z.ZodString {
  return formed(String.raw`[^\u0000]{1,${charactersMax}}`);
}

export const date = () => formed(DATE);
export const dateTime = () => formed(DATE_TIME);
export const position = () => formed(POSITION);
export const amount = () => z.number().min(0).max(999_999_999_999_999);
/** ISO codes or names of regions. */
export const regions = () => formed(listForm(String.raw`[^,]*[^,\s][^,]*`));
/** Codes, or their prefixes. */
export const cpvCodes = () => formed(listForm('[0-9]{2,8}|[0-9]{8}-[0-9]'));
