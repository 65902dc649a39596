import { ATOM_TYPE, writeAtom, type AtomEntry } from '../../atom.ts';
import type { FoundTender, Revision } from '@procurement/client';
import { API, requireBody, listMode, type Found } from '../../api/reads.ts';
import { searchPath } from '../../api/search-path.ts';
import { filtersOf, isIdentifier, queryText, readSearch, withField } from '../../domain/search-parameters.ts';
import { formatMoney } from '../../format/money.ts';
import { visibleText } from '../../format/visible-text.ts';
import type { PageRequest, PageRoute } from '../../page-route.tsx';
import { textIn } from '../../parts/basics.tsx';
import { pathIn } from '../../parts/page-context.ts';
import { findWord } from '../../texts/words.ts';
import { findTenderId } from '../tender/route.tsx';
import { filterWords, statusWords } from './filter-words.ts';
import { SEARCH } from './texts.ts';

const ENTRIES_MAX = 50;

/** `/tenders.atom?…`: the newest tenders of a search. What the API refuses is explained on the page of the search. */
export const searchFeed: PageRoute = async (request, { sandbox, settings }) => {
  const { lang, query, read, nowMs } = request;
  const { asked, written, problems } = readSearch(query);
  const page = `/tenders${queryText(withField(written, 'cursor', ''))}`;
  if (Object.keys(problems).length > 0 || (asked.buyer !== undefined && !isIdentifier(asked.buyer)))
    return { path: page, status: 303 };
  const filters = withField(asked, 'sort', '-created');
  const answer = await read(searchPath({ ...(await listMode(read, sandbox)), ...filters }, { limit: ENTRIES_MAX }));
  if (answer.status === 400 || answer.status === 422) return { path: page, status: 303 };
  const { data } = requireBody<Found>(answer, 'no-page');
  const words = filtersOf(filters).map((filter) => filterWords(filter, { search: filters, lang, buyers: new Map() }));
  return {
    text: writeAtom({
      ...common(request, settings),
      title: [SEARCH[lang].title, ...words].join(' · '),
      page: absolute(request, page),
      updated: new Date(nowMs).toISOString(),
      entries: data.map((tender) => buildEntry(request, tender)),
    }),
    contentType: ATOM_TYPE,
  };
};

/** `/tenders/{UA-number}.atom`: the newest states of a tender, with what led to them. */
export const tenderFeed: PageRoute = async (request, deps) => {
  const { lang, params, read, nowMs } = request;
  const id = await findTenderId(request, deps);
  const { number = '' } = params;
  const history = await read(`${API}/tenders/${id}/history?descending=1&limit=${ENTRIES_MAX}`);
  const { data } = requireBody<{ data: readonly Revision[] }>(history);
  return {
    text: writeAtom({
      ...common(request, deps.settings),
      title: number,
      page: absolute(request, `/tenders/${number}`),
      updated: new Date(nowMs).toISOString(),
      entries: data.map(({ rev, dateModified, status, causes }) => ({
        name: `${number}:${rev}`,
        day: parseDay(number),
        title: causes.map((cause) => findWord('cause', cause, lang) ?? visibleText(cause)).join(', ') || number,
        link: absolute(request, `/tenders/${number}/history/${rev}`),
        updated: dateModified,
        summary: statusWords(status, lang),
      })),
    }),
    contentType: ATOM_TYPE,
  };
};

function common(
  request: PageRequest,
  { SITE_NAME_UK, SITE_NAME_EN }: { readonly SITE_NAME_UK: string; readonly SITE_NAME_EN: string },
) {
  const { lang, path } = request;
  return { lang, self: absolute(request, path), author: lang === 'uk' ? SITE_NAME_UK : SITE_NAME_EN };
}

const absolute = ({ origins, lang }: PageRequest, path: string): string => origins.own + pathIn(lang, path);

/** The day that a number of a tender names. */
const parseDay = (number: string): string => number.slice(3, 13);

function buildEntry(request: PageRequest, tender: FoundTender): AtomEntry {
  const { lang } = request;
  const { tenderID, status, dateModified, created, value, procuringEntity } = tender;
  const buyer = procuringEntity?.name;
  const parts = [statusWords(status, lang), value === undefined ? undefined : formatMoney(value, lang)];
  return {
    name: tenderID,
    day: parseDay(tenderID),
    title: visibleText(textIn(tender, 'title', lang)?.text ?? tenderID),
    link: absolute(request, `/tenders/${tenderID}`),
    updated: dateModified,
    published: created,
    summary: parts.filter((part) => part !== undefined).join(' · '),
    author: buyer === undefined ? undefined : visibleText(buyer),
  };
}
