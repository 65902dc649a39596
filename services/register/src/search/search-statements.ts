import type { Statement } from '../requests/bounded-read.ts';
import { LIMITS } from './search-limits.ts';
import type { SearchRequest } from './search-request.ts';
import { Values } from '../requests/values.ts';
import type { SearchSort } from './domain/search-parameters.ts';

interface SortRow {
  readonly column: string;
  /** Type of the column. */
  readonly type: 'bigint' | 'numeric' | 'float8';
  readonly isDescending: boolean;
  /** Its index is unique: of all tenders, listed or not, in both modes. */
  readonly isUnique?: true;
  /** The order is within one currency. */
  readonly byCurrency?: true;
  /** No column of a table: computed for each match. */
  readonly isComputed?: true;
}

const SORTS: Readonly<Record<SearchSort, SortRow>> = {
  created: { column: 'created', type: 'bigint', isDescending: false },
  '-created': { column: 'created', type: 'bigint', isDescending: true },
  relevance: { column: 'rank', type: 'float8', isDescending: true, isComputed: true },
  tenderEnd: { column: 'tender_end', type: 'bigint', isDescending: false },
  amount: { column: 'amount', type: 'numeric', isDescending: false, byCurrency: true },
  '-amount': { column: 'amount', type: 'numeric', isDescending: true, byCurrency: true },
  '-modified': { column: 'position', type: 'bigint', isDescending: true, isUnique: true },
};
/** Values of the weights D, C, B and A. */
const WEIGHTS = `'{0.1,0.2,0.4,1.0}'::real[]`;
const CURRENCY_DEFAULT = 'UAH';
const NARROW =
  'id, listed, created, tender_end, amount, position, is_test, status, method, buyer, currency, cpv, regions';

/** The page of a search by its candidates, and their number: beyond the limit the rows are not all. */
export function candidatesPage(request: SearchRequest): Statement {
  const values = new Values();
  const begin = `WITH ${candidates(request, values)}`;
  // Materialised: with its limit the planner might walk the order instead, and look for each of its rows among all candidates.
  const found = isRanked(request)
    ? { begin, source: bestByCandidates(request, values) }
    : { begin: `${begin}, found AS MATERIALIZED (${foundByCandidates(request, values)})`, source: 'found' };
  const text = `${found.begin}
    SELECT (SELECT count(*)::int FROM candidates) AS candidates, ${pageRows(request, values, found.source)} AS rows`;
  return { text, values: values.all };
}

/** The page of a search that walks the order: of so many rows as one page may look at, or of fewer. */
export function walkPage(request: SearchRequest, rows = rowsMax(request)): Statement {
  const values = new Values();
  const found = isRanked(request)
    ? `(${rankedByWalk(request, values)} ORDER BY ${order(request)} LIMIT ${LIMITS.ranked}) AS best`
    : `(${foundByWalk(request, values, { fromPageStart: true, rows })}) AS found`;
  return { text: `SELECT ${pageRows(request, values, found)} AS rows`, values: values.all };
}

/** Whether the order is computed from all matches: its walk looks at the newest ones, and does not go on. */
export function isRanked({ sort }: SearchRequest): boolean {
  return SORTS[sort].isComputed === true;
}

/** The request in an order that has an index. */
function inStoredOrder(request: SearchRequest): SearchRequest {
  return isRanked(request) ? { ...request, sort: '-created', after: undefined } : request;
}

/** The last row at which a walk looks; none when the walk ends before. `fromPageStart` false: of the walk from the beginning. */
export function walkEnd(asked: SearchRequest, fromPageStart: boolean): Statement {
  const request = inStoredOrder(asked);
  const values = new Values();
  const { column } = SORTS[request.sort];
  const text = `SELECT ${column}::text AS at, replace(id::text, '-', '') AS id
    FROM (${walk(request, values, { fromPageStart, rows: rowsMax(request) })}) AS walked
    ORDER BY ${order(request)} OFFSET ${rowsMax(request) - 1} LIMIT 1`;
  return { text, values: values.all };
}

/** The number of matches, and facets, over at most 10,001 of them, after which no more rows are read. */
export function buildCounts(asked: SearchRequest, form: 'candidates' | 'walk'): Statement {
  const request = inStoredOrder(asked);
  const values = new Values();
  const counted = (source: string): string =>
    `counted AS MATERIALIZED (SELECT * FROM (${source}) AS found LIMIT ${LIMITS.counted + 1})`;
  const start =
    form === 'candidates'
      ? `WITH ${candidates(request, values)}, ${counted(foundByCandidates(request, values))}`
      : `WITH ${counted(foundByWalk(request, values, { fromPageStart: false, rows: rowsMax(request) }))}`;
  const facets = request.facets.map((facet) => `${FACET_SQL[facet]} AS "${facet}"`);
  return {
    text: `${start} SELECT ${['(SELECT count(*)::int FROM counted) AS count', ...facets].join(', ')}`,
    values: values.all,
  };
}

const facetSql = (key: string, from: string, limit: number): string =>
  `(SELECT coalesce(json_agg(row), '[]') FROM (SELECT ${key} AS key, count(*)::int AS count FROM ${from}
    WHERE ${key} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${limit}) AS row)`;

const FACET_SQL: Readonly<Record<SearchRequest['facets'][number], string>> = {
  status: facetSql('status', 'counted', 50),
  method: facetSql('method', 'counted', 50),
  cpv: facetSql(
    'division',
    `(SELECT DISTINCT id, lpad((code / 1000000)::text, 2, '0') AS division FROM counted, unnest(cpv) AS code) AS divisions`,
    100,
  ),
  region: facetSql('region', 'counted, unnest(regions) AS region', 100),
  buyer: facetSql('buyer', 'counted', 20),
};

function candidates(request: SearchRequest, values: Values): string {
  const words = `words @@ ${values.add(request.tsquery, 'tsquery')}`;
  const rank = isRanked(request) ? `, ${buildRank(request, values)} AS rank` : '';
  return `candidates AS MATERIALIZED (SELECT id${rank} FROM tender_words WHERE ${words} LIMIT ${LIMITS.candidates + 1})`;
}

function foundByCandidates(request: SearchRequest, values: Values): string {
  return `SELECT ${NARROW} FROM candidates JOIN tender USING (id) WHERE ${candidateConditions(request, values)}`;
}

/** Takes the first rows of a computed order, which ends at a limit. Rows of tenders are read in that order until the page is full. */
function bestByCandidates(request: SearchRequest, values: Values): string {
  return `(SELECT ${NARROW}, rank FROM (SELECT id, rank FROM candidates ORDER BY ${order(request)}) AS ranked JOIN tender USING (id)
    WHERE ${candidateConditions(request, values)} ORDER BY ${order(request)} LIMIT ${LIMITS.ranked}) AS best`;
}

function candidateConditions(request: SearchRequest, values: Values): string {
  return ['listed', modeCondition(request), ...sortConditions(request, values), ...conditions(request, values)].join(
    ' AND ',
  );
}

/** The newest matches with their ranks. */
function rankedByWalk(asked: SearchRequest, values: Values): string {
  const stored = inStoredOrder(asked);
  const walked = walk(stored, values, { fromPageStart: false, rows: rowsMax(stored) });
  const words = asked.tsquery === undefined ? 'true' : `words @@ ${values.add(asked.tsquery, 'tsquery')}`;
  return `SELECT ${NARROW}, ${buildRank(asked, values)} AS rank FROM (${walked}) AS walked JOIN tender_words USING (id)
    WHERE ${[words, ...conditions(asked, values)].join(' AND ')}`;
}

/**
 * A word as it was asked for counts twice as much as another form of it (register.md 6.3). Six decimals, so that the place of a
 * cursor is exact.
 */
function buildRank({ rank }: SearchRequest, values: Values): string {
  const of = (query: string | undefined): string =>
    query === undefined ? '0' : `ts_rank(${WEIGHTS}, words, ${values.add(query, 'tsquery')})`;
  return `round((2 * ${of(rank.words)} + ${of(rank.stems)}) * 1e6::float8) / 1e6::float8`;
}

function foundByWalk(request: SearchRequest, values: Values, bounds: WalkBounds): string {
  const walked = walk(request, values, bounds);
  // For each row in turn, so that a full page ends the walk.
  const words =
    request.tsquery === undefined
      ? []
      : [
          `(SELECT words @@ ${values.add(request.tsquery, 'tsquery')} FROM tender_words WHERE tender_words.id = walked.id)`,
        ];
  const own = SORTS[request.sort].isUnique ? ['listed', modeCondition(request)] : [];
  const all = [...own, ...conditions(request, values), ...words];
  return `SELECT ${NARROW} FROM (${walked}) AS walked ${all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`}
    ORDER BY ${order(request)}`;
}

interface WalkBounds {
  /** False: from the beginning. */
  readonly fromPageStart: boolean;
  readonly rows: number;
}

/** Rows in their order. Both modes are read by their own range of the index. */
function walk(request: SearchRequest, values: Values, { fromPageStart, rows }: WalkBounds): string {
  const after = fromPageStart ? afterCondition(request, values) : [];
  const where = [...sortConditions(request, values), ...after].map((one) => ` AND ${one}`).join('');
  if (SORTS[request.sort].isUnique)
    return `SELECT ${NARROW} FROM tender WHERE true${where} ORDER BY ${order(request)} LIMIT ${rows}`;
  const one = (isTest: boolean): string =>
    `(SELECT ${NARROW} FROM tender WHERE listed AND is_test = ${isTest}${where} ORDER BY ${order(request)} LIMIT ${rows})`;
  if (request.mode !== '_all_') return one(request.mode === 'test');
  return `SELECT * FROM (${one(false)} UNION ALL ${one(true)}) AS both_modes ORDER BY ${order(request)} LIMIT ${rows}`;
}

/** Number of rows at which one page may look. Words cost a look into a second table for each row; both modes are two walks. */
function rowsMax({ tsquery, mode, sort }: SearchRequest): number {
  const isOneWalk = mode !== '_all_' || SORTS[sort].isUnique === true;
  return tsquery === undefined && isOneWalk ? LIMITS.walked : LIMITS.walked / 2;
}

/** A page and one row more, as JSON. */
function pageRows(request: SearchRequest, values: Values, source: string): string {
  const { column } = SORTS[request.sort];
  const after = afterCondition(request, values);
  return `(SELECT coalesce(json_agg(row), '[]') FROM (
    SELECT replace(id::text, '-', '') AS id, tender.number, tender.position, tender.created, tender.is_test AS "isTest",
      tender.status, tender.summary, page.${column}::numeric::text AS at
    FROM (SELECT * FROM ${source} ${after.length === 0 ? '' : `WHERE ${after.join(' AND ')}`}
      ORDER BY ${order(request)} LIMIT ${request.limit + 1}) AS page JOIN tender USING (id)
    ORDER BY ${order(request, 'page.')}) AS row)`;
}

function order({ sort }: SearchRequest, table = ''): string {
  const { column, isDescending, isUnique } = SORTS[sort];
  const direction = isDescending ? 'DESC' : 'ASC';
  return [column, ...(isUnique ? [] : ['id'])].map((name) => `${table}${name} ${direction}`).join(', ');
}

function afterCondition({ sort, after }: SearchRequest, values: Values): readonly string[] {
  if (after === undefined) return [];
  const { column, type, isDescending, isUnique } = SORTS[sort];
  const sign = isDescending ? '<' : '>';
  const at = values.add(after.at, type);
  return [isUnique ? `${column} ${sign} ${at}` : `(${column}, id) ${sign} (${at}, ${values.add(after.id, 'uuid')})`];
}

/** An order shows only tenders that have a place in it. */
function sortConditions({ sort, filters }: SearchRequest, values: Values): readonly string[] {
  const { column, byCurrency } = SORTS[sort];
  const currency = byCurrency ? [`currency = ${values.add(filters.currency ?? CURRENCY_DEFAULT, 'text')}`] : [];
  return [`${column} IS NOT NULL`, ...currency];
}

function modeCondition({ mode }: SearchRequest): string {
  return mode === '_all_' ? 'true' : `is_test = ${mode === 'test'}`;
}

const RANGES = [
  ['createdFrom', 'created >=', 'bigint'],
  ['createdTo', 'created <=', 'bigint'],
  ['tenderEndFrom', 'tender_end >=', 'bigint'],
  ['tenderEndTo', 'tender_end <=', 'bigint'],
  ['modifiedFrom', 'position >=', 'bigint'],
  ['modifiedTo', 'position <=', 'bigint'],
  ['amountFrom', 'amount >=', 'numeric'],
  ['amountTo', 'amount <=', 'numeric'],
] as const;

/** Filters that are columns. */
function conditions({ filters }: SearchRequest, values: Values): readonly string[] {
  const { status, amountFrom, amountTo, currency } = filters;
  const hasAmount = amountFrom !== undefined || amountTo !== undefined || currency !== undefined;
  return [
    ...(status === undefined ? [] : [statusCondition(status, values)]),
    ...(hasAmount ? [currencyCondition(currency, values)] : []),
    ...RANGES.flatMap(([name, condition, type]) => {
      const value = filters[name];
      return value === undefined ? [] : [`${condition} ${values.add(value, type)}`];
    }),
  ];
}

function statusCondition(statuses: readonly string[], values: Values): string {
  const one = `status = ANY(${values.add(statuses, 'text[]')})`;
  return statuses.includes('active') ? `(${one} OR status LIKE 'active.%')` : one;
}

function currencyCondition(currency: string | undefined, values: Values): string {
  return `currency = ${values.add(currency ?? CURRENCY_DEFAULT, 'text')}`;
}
