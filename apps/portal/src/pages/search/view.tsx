import type { VNode } from 'preact';
import type { FoundBuyer } from '@procurement/client';
import {
  queryText,
  valuesOf,
  without,
  withField,
  type AskedSearch,
  type Field,
  type SearchProblems,
} from '../../domain/search-parameters.ts';
import { visibleText } from '../../format/visible-text.ts';
import { OwnLink, Others } from '../../parts/basics.tsx';
import { pathIn, usePage } from '../../parts/page-context.ts';
import { FilterPanel, FORM, HAS_INPUT, HiddenInputs, inputId } from './filters.tsx';
import type { SearchProps } from './outcome.ts';
import { Results } from './results.tsx';
import { quoted } from './filter-words.ts';
import { SEARCH } from './texts.ts';

export function SearchView(props: SearchProps): VNode {
  const { lang } = usePage();
  const { search, outcome } = props;
  const t = SEARCH[lang];
  return (
    <>
      <div class="page-head">
        <h1>{t.title}</h1>
        {outcome.problems !== undefined && <ErrorSummary search={search} problems={outcome.problems} />}
        <form id={FORM} class="search-box" role="search" action={pathIn(lang, '/tenders')} aria-label={t.title}>
          <input
            id={inputId('q')}
            name="q"
            maxLength={256}
            aria-label={t.words}
            placeholder={t.hint}
            value={search.written.q}
            {...(outcome.problems?.q === undefined ? {} : { 'aria-invalid': 'true' as const })}
          />
          <button class="button primary">{t.show}</button>
          <HiddenInputs search={search.written} />
        </form>
      </div>
      <div class="columns columns-3-9">
        <FilterPanel search={search} facets={outcome.facets ?? {}} problems={outcome.problems ?? {}} />
        <div>
          {outcome.found !== undefined && <Results {...props} found={outcome.found} />}
          {outcome.buyers !== undefined && <WhichBuyer search={search} buyers={outcome.buyers} />}
        </div>
      </div>
    </>
  );
}

/** Says what is wrong, leads to where it is written, and takes the focus. */
function ErrorSummary({
  search: { written },
  problems,
}: {
  readonly search: AskedSearch;
  readonly problems: SearchProblems;
}): VNode {
  const { lang } = usePage();
  const t = SEARCH[lang];
  // Safe cast: keys of problems are fields.
  const fields = Object.keys(problems) as Field[];
  return (
    <div class="error-summary" role="alert" tabIndex={-1} autofocus>
      <h2>{t.notSearched}</h2>
      <ul>
        {fields.map((field) => {
          const problem = problems[field] ?? 'value';
          const text = `${t.field[field]} ${quoted(written[field] ?? '', lang)}: ${t.problem[problem]}`;
          return (
            <li key={field}>
              {HAS_INPUT.has(field) ? (
                <a href={`#${inputId(field)}`}>{text}</a>
              ) : (
                <>
                  {text}. <OwnLink to={`/tenders${queryText(withField(written, field, ''))}`}>{t.remove}</OwnLink>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Buyers whose names are like what was written; each leads to the same search with its identifier. */
function WhichBuyer({
  search: { written },
  buyers,
}: {
  readonly search: AskedSearch;
  readonly buyers: readonly FoundBuyer[];
}): VNode {
  const { lang } = usePage();
  const t = SEARCH[lang];
  const [name = ''] = valuesOf(written, 'buyer');
  if (buyers.length === 0)
    return (
      <div class="empty-state">
        <h2>{t.nothing}</h2>
        <p>{t.noBuyer(visibleText(name))}</p>
        <p>
          <OwnLink to={`/tenders${queryText(without(written, { field: 'buyer', value: name }))}`}>{t.all}</OwnLink>
        </p>
      </div>
    );
  return (
    <>
      <h2>{t.whichBuyer}</h2>
      <ul class="result-list">
        {buyers.map(({ scheme, id, name: found, tenders }) => (
          <li key={`${scheme}-${id}`} class="result-row">
            <h3>
              <OwnLink to={`/tenders${queryText(withField(written, 'buyer', `${scheme}-${id}`))}`}>
                <Others text={found} lang={lang === 'en' ? 'uk' : undefined} />
              </OwnLink>
            </h3>
            <span class="number">{t.found(tenders, false)}</span>
            <p class="quiet small number">{visibleText(`${scheme}-${id}`)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
