import type { VNode } from 'preact';
import type { Found } from '../../api/reads.ts';
import { formatNumber } from '../../format/money.ts';
import { Code, OwnLink } from '../../parts/basics.tsx';
import { usePage } from '../../parts/page-context.ts';
import { ResultRows } from '../../parts/result-rows.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { START } from './texts.ts';

/** The steps that the start page counts, in the order of a tender's life. */
const COUNTED = ['active.enquiries', 'active.tendering', 'active.auction', 'active.qualification', 'complete'] as const;
const REFRESH_SECONDS = 15;

interface StartProps {
  /** Undefined: the register is away. */
  readonly newest: Found | undefined;
  readonly closing: Found | undefined;
}

export function StartView({ newest, closing }: StartProps): VNode {
  const { lang, site } = usePage();
  const t = START[lang];
  return (
    <>
      <div class="page-head">
        <h1>{site.name[lang]}</h1>
        <p class="lead">{t.lead}</p>
        <SearchBox />
      </div>
      {newest !== undefined && newest.data.length > 0 && <Figures newest={newest} />}
      <div class="columns columns-8-4">
        <section id="newest">
          <Newest newest={newest} />
        </section>
        <div>
          {closing !== undefined && closing.data.length > 0 && (
            <section id="closing">
              <h2>{t.closing}</h2>
              <ResultRows tenders={closing.data} />
            </section>
          )}
          <section id="developers" class="prose">
            <h2>{t.developers}</h2>
            <p>{t.developersLead}</p>
            <p class="buttons">
              <a class="button" href={`${site.apiUrl}/docs/guides`}>
                {t.guides}
              </a>
              <a class="button" href={`${site.apiUrl}/docs`}>
                {t.reference}
              </a>
            </p>
          </section>
        </div>
      </div>
    </>
  );
}

function Newest({ newest }: Pick<StartProps, 'newest'>): VNode {
  const { lang, site } = usePage();
  const t = START[lang];
  if (newest === undefined || newest.data.length === 0)
    return (
      <>
        <h2>{t.newest}</h2>
        <div class="empty-state">
          <p>{newest === undefined ? t.away : t.none}</p>
          {newest !== undefined && site.canPlay && (
            <OwnLink to="/play" class="button primary">
              {t.play}
            </OwnLink>
          )}
        </div>
      </>
    );
  return (
    <>
      <div class="results-head">
        <h2>{t.newest}</h2>
        <button type="button" class="copy" data-pauses="newest-list" data-other={t.goOn}>
          {t.pause}
        </button>
      </div>
      <div id="newest-list" data-refresh={REFRESH_SECONDS}>
        <ResultRows tenders={newest.data} />
      </div>
      <p class="pager">
        <OwnLink to="/tenders">{t.all}</OwnLink>
      </p>
    </>
  );
}

/** Counts of tenders by step. Each leads to its tenders. */
function Figures({ newest }: { readonly newest: Found }): VNode {
  const { lang } = usePage();
  const counts = new Map(newest.facets?.status?.map(({ key, count }) => [key, count]));
  const isExact = newest.total?.relation !== 'gte';
  return (
    <section aria-label={START[lang].figures} class="card">
      <dl class="facts">
        {COUNTED.map((status) => (
          <div key={status}>
            <dt>
              <Code list="tenderStatus" code={status} />
            </dt>
            <dd class="figure">
              <OwnLink to={`/tenders?status=${status}`}>
                {isExact ? '' : `${START[lang].more} `}
                {formatNumber(counts.get(status) ?? 0, lang)}
              </OwnLink>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
