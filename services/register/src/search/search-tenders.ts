import { problem } from '@procurement/contracts/problems/problems';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { clientOf } from '@procurement/kit/http/client';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { SearchDeps } from './deps.ts';
import {
  buildClauses,
  refuseCombination,
  SEARCH_PARAMETERS,
  selectSort,
  type SearchParameters,
} from './domain/search-parameters.ts';
import type { SearchQuestion } from './search-request.ts';
import type { Counts, FoundRow, SearchResult } from './search.store.ts';
import { pageLink } from '../requests/page-link.ts';
import { parseQuery, readQuery, sendJsonAt } from '../requests/read-query.ts';
import { cursorText, readCursor, type PageStart, searchKey } from './search-cursor.ts';

const LIMIT_DEFAULT = 20;
const PATH = '/api/2.5/search';

/** `GET /search`: listed tenders by words and filters (register.md 6.2). */
export function searchTenders(deps: SearchDeps): Handler {
  return async (request, reply) => {
    const parameters = readQuery(request, SEARCH_PARAMETERS);
    const refused = refuseCombination(parameters);
    if (refused !== undefined) throw new ProblemError(refused);
    const query = parseQuery(request);
    const search = searchKey(query, selectSort(parameters));
    const question = buildQuestion(parameters, readPageStart(deps, parameters.cursor, search));
    await deps.freshness.reached(parameters.at_least);
    const result = await deps.searches.run(clientOf(request), async () => deps.search.search(question));
    return sendJsonAt(reply, result.position, answerText(deps, { query, search, parameters }, result));
  };
}

/** Throws 404 for a cursor that is not ours, or is of another search. */
function readPageStart({ config }: SearchDeps, cursor: string | undefined, search: string): PageStart | undefined {
  if (cursor === undefined) return undefined;
  const after = readCursor(cursor, search, config.REGISTER_KEYS);
  if (after === undefined) throw new ProblemError(problem('params.expired', { name: 'cursor' }));
  return after;
}

function buildQuestion(parameters: SearchParameters, after: PageStart | undefined): SearchQuestion {
  const {
    q: _q,
    mode,
    sort: _sort,
    limit,
    cursor: _cursor,
    facets,
    total,
    expand,
    at_least: _atLeast,
    ...filters
  } = parameters;
  return {
    clauses: buildClauses(parameters),
    filters,
    mode,
    sort: selectSort(parameters),
    limit: limit ?? LIMIT_DEFAULT,
    after,
    facets: facets ?? [],
    isCounted: total === true,
    isExpanded: expand === true,
  };
}

interface Asked {
  readonly query: URLSearchParams;
  /** What a cursor is of. */
  readonly search: string;
  readonly parameters: SearchParameters;
}

function answerText({ config }: SearchDeps, { query, search, parameters }: Asked, result: SearchResult): string {
  const { rows, next, counts, spelling } = result;
  const nextPage = next === undefined ? undefined : cursorText(next, search, config.REGISTER_KEYS);
  const rest = JSON.stringify({
    ...(counts === undefined ? {} : countMembers(counts, parameters.total === true)),
    ...(spelling === undefined ? {} : { spelling }),
    ...(nextPage === undefined ? {} : { next_page: pageLink({ config }, PATH, nextPage, query) }),
  });
  const data = `{"data":[${rows.map(entryText).join(',')}]`;
  return rest === '{}' ? `${data}}` : `${data},${rest.slice(1)}`;
}

function countMembers({ count, isExact, facets }: Counts, isCounted: boolean): object {
  return {
    ...(isCounted ? { total: { value: count, relation: isExact ? 'eq' : 'gte' } } : {}),
    ...(Object.keys(facets).length === 0 ? {} : { facets: { ...facets, exact: isExact, of: count } }),
  };
}

/** The tender without the envelope of its text, or its summary. */
function entryText(row: FoundRow): string {
  return typeof row.body === 'string' ? row.body.slice('{"data":'.length, -1) : JSON.stringify(buildEntry(row));
}

/** Members with an own column stand for the newest revision, the others for its terms, which are written together. */
function buildEntry({ id, number, position, created, isTest, status, summary }: FoundRow): object {
  // Safe casts: positions are whole microseconds; only the service has written the summary.
  const rest = summary === null ? {} : (JSON.parse(summary) as object);
  return {
    id,
    tenderID: number,
    dateModified: formatServerDate(position as Instant),
    status,
    ...(isTest ? { mode: 'test' } : {}),
    ...rest,
    created: formatServerDate(created as Instant),
  };
}
