import type { VNode } from 'preact';
import type { Found } from '../../api/reads.ts';
import {
  filtersOf,
  queryText,
  valuesOf,
  without,
  withField,
  type AskedSearch,
  type Search,
} from '../../domain/search-parameters.ts';
import { Icon, OwnLink } from '../../parts/basics.tsx';
import { usePage } from '../../parts/page-context.ts';
import { ResultRows } from '../../parts/result-rows.tsx';
import { filterWords, type WordsContext } from './filter-words.ts';
import type { SearchProps } from './outcome.ts';
import { SEARCH } from './texts.ts';

interface FoundProps extends Omit<SearchProps, 'outcome'> {
  readonly found: Found;
}

/** What was found: how many, by which filters, in which order. */
export function Results({ search, found, atom, api }: FoundProps): VNode {
  const { lang } = usePage();
  const t = SEARCH[lang];
  const { asked } = search;
  const { data, total, next_page: next } = found;
  const words: WordsContext = { search: asked, lang, buyers: buyerNamesById(found) };
  if (data.length === 0 && next === undefined && asked.cursor === undefined)
    return <Nothing search={search} found={found} words={words} />;
  return (
    <>
      <div class="results-head">
        <h2>{total === undefined ? t.title : t.found(total.value, total.relation === 'gte')}</h2>
        <Sorts asked={asked} />
      </div>
      <Chips asked={asked} words={words} />
      {asked.sort === '-amount' && asked.currency === undefined && <p class="quiet small">{t.hryvniasOnly}</p>}
      {data.length === 0 ? <p class="empty-state">{t.goesOn}</p> : <ResultRows tenders={data} />}
      <nav class="pager" aria-label={t.pages}>
        {next !== undefined && (
          <OwnLink to={addressOf({ ...asked, cursor: next.cursor })} class="button">
            {t.next}
            <Icon name="next" />
          </OwnLink>
        )}
        {asked.cursor !== undefined && <OwnLink to={addressOf(withField(asked, 'cursor', ''))}>{t.first}</OwnLink>}
        <span class="pager-formats">
          <a href={atom}>Atom</a>
          <a href={api}>{t.api}</a>
        </span>
      </nav>
    </>
  );
}

const addressOf = (search: Search): string => `/tenders${queryText(search)}`;

/** Names of the buyers of the results. */
function buyerNamesById({ data }: Found): ReadonlyMap<string, string> {
  return new Map(
    data.flatMap(({ procuringEntity }) => {
      const { name, identifier: { scheme, id } = {} } = procuringEntity ?? {};
      if (name === undefined || id === undefined) return [];
      return [
        [id, name],
        [`${scheme ?? ''}-${id}`, name],
      ] as const;
    }),
  );
}

/** Links to the other orders. Those that end soon are those that take bids. */
function Sorts({ asked }: { readonly asked: Search }): VNode {
  const { lang } = usePage();
  const t = SEARCH[lang];
  const current = asked.sort ?? (asked.q === undefined ? '-created' : 'relevance');
  const statuses = valuesOf(asked, 'status');
  const takesBids = statuses.length === 0 || statuses.includes('active.tendering') || statuses.includes('active');
  const sorts = (['relevance', '-created', 'tenderEnd', '-amount'] as const).filter(
    (sort) => (sort !== 'relevance' || asked.q !== undefined) && (sort !== 'tenderEnd' || takesBids),
  );
  return (
    <nav class="sorts" aria-label={t.sortLabel}>
      <span class="quiet">{t.sortLabel}:</span>
      {sorts.map((sort) => {
        const narrowed = sort === 'tenderEnd' ? withField(asked, 'status', 'active.tendering') : asked;
        return sort === current ? (
          <b key={sort} aria-current="true">
            {t.sorts[sort]}
          </b>
        ) : (
          <OwnLink key={sort} to={addressOf(withField(narrowed, 'sort', sort))}>
            {t.sorts[sort]}
          </OwnLink>
        );
      })}
    </nav>
  );
}

/** The chosen filters, each as a link that removes it. The words stay in their box. */
function Chips({ asked, words }: { readonly asked: Search; readonly words: WordsContext }): VNode | null {
  const { lang } = usePage();
  const t = SEARCH[lang];
  const filters = filtersOf(asked).filter(({ field }) => field !== 'q');
  if (filters.length === 0) return null;
  return (
    <ul class="chips" aria-label={t.chosen}>
      {filters.map((filter) => (
        <li key={`${filter.field}=${filter.value}`}>
          <OwnLink to={addressOf(without(asked, filter))}>
            <span class="chip-text">{filterWords(filter, words)}</span>
            <span class="away">: {t.remove}</span>
            <Icon name="cross" />
          </OwnLink>
        </li>
      ))}
      <li>
        <OwnLink to="/tenders" class="plain">
          {t.reset}
        </OwnLink>
      </li>
    </ul>
  );
}

/** No tender: what was asked, words that are spelt otherwise, and what would find more. */
function Nothing({
  search: { asked },
  found,
  words,
}: {
  readonly search: AskedSearch;
  readonly found: Found;
  readonly words: WordsContext;
}): VNode {
  const { lang } = usePage();
  const t = SEARCH[lang];
  const filters = filtersOf(asked);
  if (filters.length === 0) return <p class="empty-state">{t.nothingAsked}</p>;
  const spellings = Object.entries(found.spelling ?? {}).flatMap(([word, others]) =>
    others.map((other) => ({ other, q: respelt(asked.q ?? '', word, other) })),
  );
  return (
    <div class="empty-state">
      <h2>{t.nothing}</h2>
      <p>
        {t.askedFor} {filters.map((filter) => filterWords(filter, words)).join(', ')}.
      </p>
      {spellings.length > 0 && (
        <p>
          {t.meant}{' '}
          {spellings.map(({ other, q }, n) => (
            <span key={other}>
              {n > 0 && ', '}
              <OwnLink to={addressOf(withField(asked, 'q', q))}>{other}</OwnLink>
            </span>
          ))}
        </p>
      )}
      {filters.length > 1 && (
        <>
          <p>{t.wider}</p>
          <ul class="chips">
            {filters.map((filter) => (
              <li key={`${filter.field}=${filter.value}`}>
                <OwnLink to={addressOf(without(asked, filter))}>
                  <span class="chip-text">{filterWords(filter, words)}</span>
                  <span class="away">: {t.remove}</span>
                  <Icon name="cross" />
                </OwnLink>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <OwnLink to="/tenders">{t.all}</OwnLink>
      </p>
    </div>
  );
}

/** A query with one word spelt otherwise. A word that the API folded stands in no query: the other word alone. */
function respelt(q: string, word: string, other: string): string {
  const pattern = new RegExp(word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'giu');
  return pattern.test(q) ? q.replaceAll(pattern, other) : other;
}
