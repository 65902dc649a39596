import { cpvKey, quoteLexeme } from './search-terms.ts';
import { parseTerms } from '../../revisions/domain/words.ts';

/** The lexemes of which one must stand at a place. */
interface QueryPlace {
  readonly lexemes: readonly string[];
  /** The lexeme is the begin of a word. */
  readonly isPrefix: boolean;
}

/** Places that follow each other. */
type Phrase = readonly QueryPlace[];

/** One of the alternatives must be found, or none of them. */
export interface Clause {
  readonly isNegated: boolean;
  readonly alternatives: readonly Phrase[];
}

const TOKEN = /-?"[^"]*"|[^\s"]+|"/gu;
const CPV_CODE = /^\d{8}-\d$/;
const PLACES_MAX = 10;
const PREFIX_LETTERS_MIN = 3;
/** Words of one query for which similar ones are looked up. */
const CORRECTED_MAX = 3;
/** The greatest code point: after every word with a prefix. */
const LAST = '\u{10FFFF}';

/**
 * Reads the text of a search (register.md 6.2): words joined by AND, "phrases", -negations, OR, prefixes with `*`. Undefined when
 * it cannot be read: an open quote, OR without a side, too many words, a prefix that is too short.
 */
export function parseQuery(text: string): readonly Clause[] | undefined {
  const clauses: Clause[] = [];
  let isAfterOr = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const before = clauses.at(-1);
    if (token === 'OR') {
      if (isAfterOr || before === undefined || before.isNegated) return undefined;
      isAfterOr = true;
      continue;
    }
    const clause = readToken(token);
    if (clause === undefined || (isAfterOr && clause.isNegated)) return undefined;
    if (isAfterOr && before !== undefined)
      clauses[clauses.length - 1] = { ...before, alternatives: [...before.alternatives, ...clause.alternatives] };
    else clauses.push(clause);
    isAfterOr = false;
  }
  const placeCount = clauses.flatMap(({ alternatives }) => alternatives.flat()).length;
  return isAfterOr || placeCount > PLACES_MAX
    ? undefined
    : clauses.filter(({ alternatives }) => alternatives.length > 0);
}

/** A clause without alternatives for a token without words, such as a stop word. */
function readToken(token: string): Clause | undefined {
  if (token === '"') return undefined;
  const isNegated = token.startsWith('-');
  const text = token.replace(/^-/, '');
  const phrase = text.endsWith('*') ? parsePrefix(text) : parsePhrase(text);
  return phrase && { isNegated, alternatives: phrase.length === 0 ? [] : [phrase] };
}

function parsePhrase(text: string): Phrase {
  return parseTerms(text).map((terms) => ({ lexemes: terms.flatMap(withCpvKey), isPrefix: false }));
}

/** A whole code finds the codes below it: `30190000-7` finds `30197630-1`. */
function withCpvKey(term: string): readonly string[] {
  return CPV_CODE.test(term) ? [term, cpvKey(cpvPrefix(term))] : [term];
}

/** A code without its check digit and its trailing zeros. */
function cpvPrefix(code: string): string {
  return code.slice(0, 2) + code.slice(2, 8).replace(/0+$/, '');
}

function parsePrefix(text: string): Phrase | undefined {
  const [first, ...others] = parseTerms(text);
  const word = first?.[0] ?? '';
  if (others.length > 0 || word.length < PREFIX_LETTERS_MIN) return undefined;
  return [{ lexemes: [word], isPrefix: true }];
}

/** A clause that is met by any of some keys. */
export function keyClause(keys: readonly string[]): Clause {
  return { isNegated: false, alternatives: keys.map((key) => [{ lexemes: [key], isPrefix: false }]) };
}

/** Adds the English stems of Latin words. */
export function withEnglishStems(clauses: readonly Clause[], english: ReadonlyMap<string, string>): readonly Clause[] {
  const place = ({ lexemes, isPrefix }: QueryPlace): QueryPlace => {
    const stems = isPrefix ? [] : lexemes.flatMap((lexeme) => english.get(lexeme) ?? []);
    return { isPrefix, lexemes: [...lexemes, ...stems.map((stem) => `~${stem}`)] };
  };
  return clauses.map((clause) => ({
    ...clause,
    alternatives: clause.alternatives.map((phrase) => phrase.map(place)),
  }));
}

/** A tsquery of quoted lexemes only; undefined when everything matches. */
export function tsqueryText(clauses: readonly Clause[]): string | undefined {
  if (clauses.length === 0) return undefined;
  return clauses
    .map(({ isNegated, alternatives }) => `${isNegated ? '!' : ''}(${alternatives.map(phraseText).join(' | ')})`)
    .join(' & ');
}

function phraseText(phrase: Phrase): string {
  return `(${phrase
    .map(({ lexemes, isPrefix }) => `(${lexemes.map((one) => quoteLexeme(one) + (isPrefix ? ':*' : '')).join(' | ')})`)
    .join(' <-> ')})`;
}

/** What the rank of a tender is made of: its words as they were asked for, and their stems. Undefined: there are none. */
export interface RankQueries {
  readonly words: string | undefined;
  readonly stems: string | undefined;
}

/** Any of the words, so that each one that occurs adds to the rank. Keys of filters have no weight. */
export function rankQueries(clauses: readonly Clause[]): RankQueries {
  const places = positivePlaces(clauses);
  const joinTerms = (isOwn: (lexeme: string) => boolean): string | undefined => {
    const terms = places.flatMap(({ lexemes, isPrefix }) =>
      lexemes.filter(isOwn).map((lexeme) => quoteLexeme(lexeme) + (isPrefix ? ':*' : '')),
    );
    return terms.length === 0 ? undefined : [...new Set(terms)].join(' | ');
  };
  return { words: joinTerms((lexeme) => !/^[=~]/.test(lexeme)), stems: joinTerms((lexeme) => lexeme.startsWith('~')) };
}

/** Words that no tender has in any form, by the counts of their lexemes. Codes and numbers are none. */
export function unknownWords(clauses: readonly Clause[], counts: ReadonlyMap<string, number>): readonly string[] {
  const unknown = positivePlaces(clauses)
    .filter(({ isPrefix, lexemes }) => !isPrefix && lexemes.every((lexeme) => (counts.get(lexeme) ?? 0) === 0))
    .flatMap(({ lexemes }) => lexemes.slice(0, 1));
  return [...new Set(unknown)].filter((word) => /^\p{L}{3,}$/u.test(word)).slice(0, CORRECTED_MAX);
}

function positivePlaces(clauses: readonly Clause[]): readonly QueryPlace[] {
  return clauses.filter(({ isNegated }) => !isNegated).flatMap(({ alternatives }) => alternatives.flat());
}

/** All lexemes whose numbers of tenders decide about the form of a search. */
export function countedLexemes(clauses: readonly Clause[]): {
  readonly lexemes: readonly string[];
  readonly prefixes: readonly string[];
} {
  const places = positivePlaces(clauses);
  const of = (isPrefix: boolean): readonly string[] => [
    ...new Set(places.filter((place) => place.isPrefix === isPrefix).flatMap(({ lexemes }) => lexemes)),
  ];
  return { lexemes: of(false), prefixes: of(true) };
}

/** The range of words with a prefix, by bytes: from the first to before the second. */
export function prefixRange(prefix: string): readonly [from: string, to: string] {
  return [prefix, prefix + LAST];
}

/**
 * The greatest number of tenders that can match, by the counts of lexemes and prefixes: of the rarest required clause. Infinity
 * when nothing is required.
 */
export function candidatesMax(clauses: readonly Clause[], counts: ReadonlyMap<string, number>): number {
  const sumCounts = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
  const placeMax = ({ lexemes, isPrefix }: QueryPlace): number => {
    const stems = lexemes.filter((lexeme) => lexeme.startsWith('~'));
    // Where a word stands, its stem stands too: to add both would count tenders twice.
    const counted = stems.length === 0 ? lexemes : stems;
    return sumCounts(counted.map((lexeme) => counts.get(isPrefix ? `${lexeme}*` : lexeme) ?? 0));
  };
  const required = clauses.filter(({ isNegated }) => !isNegated);
  return Math.min(
    ...required.map(({ alternatives }) => sumCounts(alternatives.map((phrase) => Math.min(...phrase.map(placeMax))))),
  );
}
