import type { Problem } from '@procurement/contracts/problems/problems';
import { daysLater, instantAt, parseDateTime } from '@procurement/contracts/reading/instant';
import { CHANGE_RATIONALE_TYPES } from '@procurement/contracts/resources/change-rationale-types';
import { CONTRACT_STATUSES } from '@procurement/contracts/resources/contract';
import { FACETS, SEARCH_SORTS } from '@procurement/contracts/resources/search';
import { withPlus } from '@procurement/domain/feed-offset';
import { FILTER_PARAMETERS } from '../../requests/domain/filters.ts';
import {
  anyText,
  flag,
  invalidParameter,
  isLongerThan,
  listOf,
  naming,
  oneOf,
  position,
  wholeNumber,
  type ParametersOf,
  type Reader,
} from '../../requests/domain/parameters.ts';
import { contractLexeme, cpvKey, isHexId, formatKey } from './search-terms.ts';
import { keyClause, parseQuery, type Clause } from './search-query.ts';

export type SearchSort = (typeof SEARCH_SORTS)[number];
export type Facet = (typeof FACETS)[number];

const QUERY_CHARACTERS_MAX = 256;
const CURSOR_CHARACTERS_MAX = 256;
const LIMIT_MAX = 100;
const EXPANDED_LIMIT_MAX = 50;
const CPV_DIGITS = 8;

const query: Reader<readonly Clause[]> = naming([`words of up to ${QUERY_CHARACTERS_MAX} characters`], (text) =>
  isLongerThan(text, QUERY_CHARACTERS_MAX) ? undefined : parseQuery(text),
);
const sort: Reader<SearchSort> = oneOf(SEARCH_SORTS);
const facet: Reader<Facet> = oneOf(FACETS);

const NUMBER = /^ua-\d{4}-\d{2}-\d{2}-\d{6}(?:-[\w-]+)?$/;

/** Reads an id, or a number such as that of a tender, in lower case. */
export function idOrNumber(what: string): Reader<string> {
  return naming([what], (text) => {
    const key = text.toLowerCase();
    return isHexId(key) || NUMBER.test(key) ? key : undefined;
  });
}

const from: Reader<number> = naming(['a date or time in ISO 8601'], (text) => parseDateTime(withPlus(text))?.instant);

/** A date means the whole day. */
const to: Reader<number> = naming(['a date or time in ISO 8601'], (text) => {
  const start = parseDateTime(withPlus(text))?.instant;
  if (start === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return start;
  const end = instantAt(daysLater(text, 1), 0) - 1;
  return Number.isFinite(end) ? end : start;
});

const { ids: _ids, causes: _causes, ...COMMON } = FILTER_PARAMETERS;

/** Parameters that decide which tenders are found, in which order. A cursor is of one set of them. */
const SET_PARAMETERS = {
  ...COMMON,
  q: query,
  sort,
  supplier: COMMON.buyer,
  bidder: COMMON.buyer,
  buyerRegion: COMMON.region,
  contract: listOf(idOrNumber('ids or numbers of contracts')),
  contractStatus: listOf(oneOf(CONTRACT_STATUSES)),
  rationale: listOf(oneOf(CHANGE_RATIONALE_TYPES)),
  createdFrom: from,
  createdTo: to,
  tenderEndFrom: from,
  tenderEndTo: to,
  modifiedFrom: from,
  modifiedTo: to,
} as const;

/** The parameters of `GET /search` (register.md 6.2). */
export const SEARCH_PARAMETERS = {
  ...SET_PARAMETERS,
  limit: wholeNumber(1, LIMIT_MAX),
  cursor: anyText(CURSOR_CHARACTERS_MAX),
  facets: listOf(facet),
  total: flag,
  expand: flag,
  at_least: position,
} as const;

export type SearchParameters = ParametersOf<typeof SEARCH_PARAMETERS>;

/** Names of the parameters of which a cursor is. */
export const SET_NAMES: readonly string[] = Object.keys(SET_PARAMETERS);

/** Parameters that limit what is found, beside the query. */
const FILTER_NAMES = SET_NAMES.filter((name) => !['q', 'mode', 'sort'].includes(name));

/** What filters by list ask of the keys of a tender. */
const KEY_FILTERS = [
  'method',
  'buyer',
  'supplier',
  'bidder',
  'region',
  'buyerRegion',
  'contractStatus',
  'rationale',
] as const;

/** The words of the query, and the filters that are keys. */
export function buildClauses(parameters: SearchParameters): readonly Clause[] {
  const lists = KEY_FILTERS.flatMap((name) => {
    const values = parameters[name];
    return values === undefined ? [] : [values.map((value) => formatKey(name, value))];
  });
  const cpv = parameters.cpv?.map((range) => cpvKey(formatPrefix(range)));
  const { contract } = parameters;
  return [
    ...(parameters.q ?? []),
    ...[...lists, ...(cpv === undefined ? [] : [cpv])].map(keyClause),
    ...(contract === undefined ? [] : [contractClause(contract)]),
  ];
}

function contractClause(contracts: readonly string[]): Clause {
  const alternatives = contracts.map(contractLexeme).map(({ lexeme, isPrefix }) => [{ lexemes: [lexeme], isPrefix }]);
  return { isNegated: false, alternatives };
}

/** The order of the answer. Only words give a relevance. */
export function selectSort({ sort: asked, q }: Pick<SearchParameters, 'sort' | 'q'>): SearchSort {
  return asked ?? (hasWords(q) ? 'relevance' : '-created');
}

/** The problem of a parameter whose value does not go with the others; undefined when there is none. */
export function refuseCombination(parameters: SearchParameters): Problem | undefined {
  const { sort: asked, q, limit, expand } = parameters;
  if (isUnlimited(parameters)) return invalidParameter('q', { allowed: ['a word that must occur, or another filter'] });
  if (asked === 'relevance' && !hasWords(q))
    return invalidParameter('sort', { allowed: ['relevance with words in q'] });
  return expand === true && limit !== undefined && limit > EXPANDED_LIMIT_MAX
    ? invalidParameter('limit', { allowed: [`1 to ${EXPANDED_LIMIT_MAX}, with expand`] })
    : undefined;
}

function hasWords(q: readonly Clause[] | undefined): boolean {
  return q?.some(({ isNegated }) => !isNegated) ?? false;
}

/** Whether words are asked for, but only such as must not occur, or none that is indexed, and no filter limits the answer. */
function isUnlimited(parameters: SearchParameters): boolean {
  const { q } = parameters;
  return (
    q !== undefined && q.every(({ isNegated }) => isNegated) && FILTER_NAMES.every((name) => !(name in parameters))
  );
}

/** The digits with which codes of a range begin. */
function formatPrefix({ from: first, to: end }: { readonly from: number; readonly to: number }): string {
  const digits = CPV_DIGITS - Math.round(Math.log10(end - first));
  return String(first).padStart(CPV_DIGITS, '0').slice(0, digits);
}
