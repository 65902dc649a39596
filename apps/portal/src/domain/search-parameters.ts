/** Parameters of the search that a page takes, in the order of its addresses: those of the API's search that name tenders or their order. */
export const FIELDS = [
  'q',
  'status',
  'cpv',
  'region',
  'buyer',
  'amountFrom',
  'amountTo',
  'createdFrom',
  'createdTo',
  'method',
  'buyerRegion',
  'supplier',
  'bidder',
  'contract',
  'contractStatus',
  'rationale',
  'currency',
  'tenderEndFrom',
  'tenderEndTo',
  'modifiedFrom',
  'modifiedTo',
  'mode',
  'sort',
  'cursor',
] as const;
export type Field = (typeof FIELDS)[number];

/** Values by parameter. Empty ones are left out. */
export type Search = Readonly<Partial<Record<Field, string>>>;

/** Filters that are lists: tenders that have one of the values. */
export type ListField =
  | 'status'
  | 'cpv'
  | 'region'
  | 'buyer'
  | 'method'
  | 'buyerRegion'
  | 'supplier'
  | 'bidder'
  | 'contract'
  | 'contractStatus'
  | 'rationale';
const LISTS: ReadonlySet<Field> = new Set<ListField>([
  'status',
  'cpv',
  'region',
  'buyer',
  'method',
  'buyerRegion',
  'supplier',
  'bidder',
  'contract',
  'contractStatus',
  'rationale',
]);

/** Where a reader is on the way through the results; no part of what he looks for. */
const NOT_FILTERS: ReadonlySet<Field> = new Set<Field>(['mode', 'sort', 'cursor']);

const AMOUNTS: readonly Field[] = ['amountFrom', 'amountTo'];
const DAYS: readonly Field[] = [
  'createdFrom',
  'createdTo',
  'tenderEndFrom',
  'tenderEndTo',
  'modifiedFrom',
  'modifiedTo',
];
const PAIRS: readonly (readonly [from: Field, to: Field])[] = [
  ['amountFrom', 'amountTo'],
  ['createdFrom', 'createdTo'],
  ['tenderEndFrom', 'tenderEndTo'],
  ['modifiedFrom', 'modifiedTo'],
];

/** What is wrong with the value of a parameter. */
export type SearchProblem = 'amount' | 'day' | 'order' | 'value' | 'words' | 'broad';
export type SearchProblems = Readonly<Partial<Record<Field, SearchProblem>>>;

/** What a visitor asks for: as he wrote it, and as the API takes it. */
export interface AskedSearch {
  readonly written: Search;
  readonly asked: Search;
  readonly problems: SearchProblems;
}

/** Reads the parameters of a page. Unknown ones are ignored. */
export function readSearch(query: Readonly<Record<string, string>>): AskedSearch {
  const written: Partial<Record<Field, string>> = {};
  const asked: Partial<Record<Field, string>> = {};
  const problems: Partial<Record<Field, SearchProblem>> = {};
  for (const field of FIELDS) {
    const value = query[field]?.trim() ?? '';
    if (value === '') continue;
    written[field] = value;
    const read = AMOUNTS.includes(field) ? readAmount(value) : DAYS.includes(field) ? readDay(value) : value;
    if (read === undefined) problems[field] = AMOUNTS.includes(field) ? 'amount' : 'day';
    else asked[field] = read;
  }
  for (const [from, to] of PAIRS) {
    const [least, most] = [asked[from], asked[to]];
    if (least === undefined || most === undefined) continue;
    if (from === 'amountFrom' ? Number(least) > Number(most) : least > most) problems[from] = 'order';
  }
  // Words that were taken away leave the order by relevance to them behind.
  if (asked.q === undefined && asked.sort === 'relevance') delete asked.sort;
  return { written, asked, problems };
}

const SPACES = /[\s\u00a0\u202f'’]/g;
/** Groups of three digits, then hryvnias' hundredths behind another mark. */
const GROUPED = /^(\d{1,3}(?:([.,])\d{3})+)(?:(?!\2)[.,](\d{1,2}))?$/;
const PLAIN = /^(\d+)(?:[.,](\d{1,2}))?$/;

/**
 * Reads an amount as people write it: `1 000,50`, `1,000.50`, `1000.5`. A mark before three digits separates thousands, before one or two the
 * hundredths. Undefined: it is no amount.
 */
export function readAmount(text: string): string | undefined {
  const amount = text.replaceAll(SPACES, '').replace(/(?:грн\.?|UAH)$/i, '');
  const grouped = GROUPED.exec(amount);
  const [, whole, part] = grouped === null ? (PLAIN.exec(amount) ?? []) : [grouped[0], grouped[1], grouped[3]];
  if (whole === undefined) return undefined;
  return String(Number(`${whole.replaceAll(/[.,]/g, '')}.${part ?? '0'}`));
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const WRITTEN_DAY = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

/** Reads a day as `2026-03-16` or `16.03.2026`; an instant of ISO 8601 stays as it is. Undefined: there is no such day. */
export function readDay(text: string): string | undefined {
  const [, day = '', month = '', year = ''] = WRITTEN_DAY.exec(text) ?? [];
  const iso = year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!DAY.test(iso)) return /^\d{4}-\d{2}-\d{2}T/.test(iso) && !Number.isNaN(Date.parse(iso)) ? iso : undefined;
  const at = Date.parse(`${iso}T00:00:00Z`);
  // 31 February would be a day of March.
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(iso) ? undefined : iso;
}

/** The values of a filter; one for a filter that is no list. */
export function valuesOf(search: Search, field: Field): readonly string[] {
  const value = search[field];
  if (value === undefined) return [];
  return LISTS.has(field) ? value.split(',').filter((part) => part !== '') : [value];
}

/** One filter of a search: what its chip says, and what removes it. */
export interface Filter {
  readonly field: Field;
  readonly value: string;
}

/** Each filter by itself, in the order of addresses; the entries of a list one by one. */
export function filtersOf(search: Search): readonly Filter[] {
  return FIELDS.filter((field) => !NOT_FILTERS.has(field)).flatMap((field) =>
    valuesOf(search, field).map((value) => ({ field, value })),
  );
}

/** The search without one filter, from its first page. */
export function without(search: Search, { field, value }: Filter): Search {
  const rest = valuesOf(search, field).filter((other) => other !== value);
  return withField(search, field, rest.join(','));
}

/** The search with another value of a parameter, from its first page; an empty one is left out. */
export function withField(search: Search, field: Field, value: string): Search {
  const { cursor: _cursor, [field]: _old, ...rest } = search;
  return value === '' ? rest : { ...rest, [field]: value };
}

/** The query of an address: `?q=paper&cpv=30,44`, or nothing. */
export function queryText(search: Search): string {
  const query = new URLSearchParams(
    FIELDS.flatMap((field) => {
      const value = search[field];
      return value === undefined ? [] : [[field, value]];
    }),
  ).toString();
  // A comma needs no escape, and an address with it can be read.
  return query === '' ? '' : `?${query.replaceAll('%2C', ',')}`;
}

/** The number of a tender, or of a contract: that of its tender with one part more. */
export const NUMBER = /^UA-\d{4}-\d{2}-\d{2}-\d{6,12}(?:-[a-z\d]{1,10}){0,2}$/i;
export const HEX_ID = /^[0-9a-f]{32}$/;

/** The number of the one tender or contract, or the id of the tender, that words name. Undefined: they are words. */
export function tenderNamed(words: string | undefined): string | undefined {
  const text = words?.trim() ?? '';
  if (HEX_ID.test(text)) return text;
  return NUMBER.test(text) ? text.slice(0, 2).toUpperCase() + text.slice(2) : undefined;
}

/** Whether a text can be what identifies a buyer, a supplier or a bidder: `UA-EDR-00037256`, or the identifier alone. */
export function isIdentifier(text: string): boolean {
  return text.split(',').every((part) => /^[\w./-]*\d[\w./-]*$/.test(part.trim()));
}
