import { ApiAwayError, type Answer } from '../../api/read-api.ts';
import { searchPath } from '../../api/search-path.ts';
import type { FoundBuyer } from '@procurement/client';
import { API, requireBody, listMode, type Facet, type Found } from '../../api/reads.ts';
import {
  FIELDS,
  isIdentifier,
  queryText,
  readSearch,
  tenderNamed,
  withField,
  type AskedSearch,
  type Search,
  type SearchProblem,
  type SearchProblems,
} from '../../domain/search-parameters.ts';
import type { Elsewhere, Page, PageRequest, PageRoute } from '../../page-route.tsx';
import { pathIn } from '../../parts/page-context.ts';
import { visibleText } from '../../format/visible-text.ts';
import type { Facets, SearchOutcome } from './outcome.ts';
import { SEARCH } from './texts.ts';
import { SearchView } from './view.tsx';

const GROUPS = ['status', 'cpv', 'region'] as const;
const ROWS = 20;

/** `/tenders?…`: tenders by words and filters. */
export const showSearch: PageRoute = async (request, deps) => {
  const search = readSearch(request.query);
  const named = tenderNamed(search.asked.q);
  if (named !== undefined) return { path: `/tenders/${named}`, status: 303 };
  if (Object.keys(search.problems).length > 0) return buildPage(request, search, { problems: search.problems });
  const asked = { ...(await listMode(request.read, deps.sandbox)), ...search.asked };
  const { buyer } = asked;
  if (buyer !== undefined && !isIdentifier(buyer))
    return buildPage(request, search, { buyers: await findBuyers(request, buyer, asked.mode) });
  const [answer, ...ownFacets] = await Promise.all([
    request.read(searchPath(asked, { limit: ROWS, total: 1, facets: GROUPS.join(',') })),
    ...GROUPS.map(async (group) => facetWithout(request, asked, group)),
  ]);
  // The place of an earlier search, or of another installation: its first page.
  if (answer.status === 404 && asked.cursor !== undefined)
    return { path: `/tenders${queryText(withField(search.written, 'cursor', ''))}`, status: 303 };
  if (answer.status === 400 || answer.status === 422)
    return buildPage(request, search, { problems: readProblems(answer) }, asked);
  const found = requireBody<Found>(answer, 'no-page');
  const facets: Facets = Object.fromEntries(
    GROUPS.map((group, n) => [group, asked[group] === undefined ? found.facets?.[group] : ownFacets[n]]),
  );
  return buildPage(request, search, { found, facets }, asked);
};

/**
 * Counts of a group of choices as if none of them were chosen: how many tenders another choice would add. Undefined when none is chosen, or the
 * counts are late: then the page has none for this group.
 */
async function facetWithout(
  { readBeside }: PageRequest,
  asked: Search,
  group: (typeof GROUPS)[number],
): Promise<readonly Facet[] | undefined> {
  if (asked[group] === undefined) return undefined;
  const answer = await readBeside(
    `facet-${group}`,
    searchPath(withField(asked, group, ''), { limit: 1, facets: group }),
  );
  return answer === undefined ? undefined : requireBody<Found>(answer).facets?.[group];
}

async function findBuyers(
  { read }: PageRequest,
  name: string,
  mode: string | undefined,
): Promise<readonly FoundBuyer[]> {
  const query = new URLSearchParams({ q: name, ...(mode === undefined ? {} : { mode }) });
  const answer = await read(`${API}/search/buyers?${query.toString()}`);
  // Fewer than three letters: no name to look for.
  return answer.status === 400 ? [] : requireBody<{ data: readonly FoundBuyer[] }>(answer, 'no-page').data;
}

/** What the API refused, by the parameters that the visitor knows. */
function readProblems({ status, body }: Answer): SearchProblems {
  // Safe cast: the shape of every refusal of the API; anything else names no parameter.
  const { errors = [] } = body as { errors?: readonly { name?: unknown; code?: unknown }[] };
  const entries = errors.flatMap(({ name, code }): [string, SearchProblem][] => {
    const field = FIELDS.find((one) => one === name);
    if (field === undefined) return [];
    return [[field, code === 'search.broad' ? 'broad' : field === 'q' ? 'words' : 'value']];
  });
  if (entries.length === 0) throw new ApiAwayError(`the API answered ${status} for no parameter of the page`);
  return Object.fromEntries(entries);
}

function buildPage(
  { lang, origins }: PageRequest,
  search: AskedSearch,
  outcome: SearchOutcome,
  asked: Search = search.asked,
): Page | Elsewhere {
  const t = SEARCH[lang];
  const { q } = search.written;
  const title = q === undefined ? t.title : `${visibleText(q)} – ${t.title.toLowerCase()}`;
  const { cursor: _cursor, sort: _sort, ...filters } = search.asked;
  const atom = { text: 'Atom', href: pathIn(lang, `/tenders.atom${queryText(filters)}`), type: 'application/atom+xml' };
  const json = {
    text: t.api,
    href: origins.api + searchPath(asked, { limit: ROWS, total: 1 }),
    type: 'application/json',
  };
  const isWrong = outcome.problems !== undefined;
  return {
    head: {
      title: isWrong ? `${t.errorTitle}: ${title}` : title,
      section: 'tenders',
      ...(isWrong ? {} : { formats: [atom, json] }),
      noIndex: isWrong,
    },
    view: () => <SearchView search={search} outcome={outcome} atom={atom.href} api={json.href} />,
    status: isWrong ? 400 : 200,
    countsDown: outcome.found?.data.some(({ status }) => status === 'active.tendering') ?? false,
  };
}
