import type { VNode } from 'preact';
import type { Statistics } from '../../api/reads.ts';
import { formatMonth, monthOf } from '../../format/month.ts';
import { formatNumber, formatShare, shortHryvnias } from '../../format/money.ts';
import { KeyFigures } from '../../parts/key-figures.tsx';
import { usePage } from '../../parts/page-context.ts';
import { AfterSigning } from './contract-chart.tsx';
import { Competition, Days, Outcomes, SingleBids, Sums } from './month-charts.tsx';
import { everyMonth, totalsOf, type Totals } from './figures.ts';
import { PlaceChart } from './place-chart.tsx';
import { STATISTICS } from './texts.ts';

interface StatisticsProps {
  readonly months: Statistics;
  /** Undefined: they could not be read in time. */
  readonly divisions: Statistics | undefined;
  readonly regions: Statistics | undefined;
  readonly api: string;
}

export function StatisticsView({ months, divisions, regions, api }: StatisticsProps): VNode {
  const { lang, nowMs } = usePage();
  const t = STATISTICS[lang];
  const cells = everyMonth(months);
  const totals = totalsOf(cells);
  const props = { cells, totals, running: monthOf(nowMs) };
  return (
    <>
      <div class="page-head">
        <h1>{t.title}</h1>
        <p class="lead">{t.lead(formatMonth(months.from, lang), formatMonth(months.to, lang))}</p>
      </div>
      {totals.tenders === 0 ? (
        <p class="empty-state">{t.none}</p>
      ) : (
        <>
          <Figures totals={totals} />
          <Outcomes {...props} />
          <div class="columns columns-6-6">
            <Competition {...props} />
            <SingleBids {...props} />
            <Days {...props} />
            <Sums {...props} />
            <PlaceChart part="what" found={divisions} />
            <PlaceChart part="where" found={regions} />
          </div>
          <AfterSigning {...props} />
        </>
      )}
      <p class="pager">
        <a href={api}>{t.api}</a>
      </p>
    </>
  );
}

function Figures({ totals }: { readonly totals: Totals }): VNode {
  const { lang } = usePage();
  const t = STATISTICS[lang];
  const { tenders, bids, opened, singles, contracted } = totals;
  return (
    <KeyFigures
      figures={[
        { name: t.tenders, value: formatNumber(tenders, lang) },
        { name: t.contracted, value: shortHryvnias(contracted, lang) },
        ...(opened === 0
          ? []
          : [
              { name: t.perTender, value: formatNumber(Math.round((bids / opened) * 10) / 10, lang) },
              { name: t.oneBid, value: formatShare(singles / opened, lang) },
            ]),
      ]}
    />
  );
}
