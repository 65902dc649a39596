import type { VNode } from 'preact';
import type { StatisticsCell } from '@procurement/client';
import { ChartFigure, type ChartTable } from '../../charts/chart-figure.tsx';
import { ChartSection } from '../../charts/chart-section.tsx';
import { OUTCOMES } from '../../charts/outcomes.ts';
import { ColumnChart } from '../../charts/column-chart.tsx';
import { LineChart, type LinePlace } from '../../charts/line-chart.tsx';
import type { Place } from '../../charts/plot.tsx';
import { formatMonth, lastDayOf, shortMonth } from '../../format/month.ts';
import { formatMoney, formatNumber, formatShare, formatShort } from '../../format/money.ts';
import { OwnLink } from '../../parts/basics.tsx';
import { usePage } from '../../parts/page-context.ts';
import type { Totals } from './figures.ts';
import { STATISTICS } from './texts.ts';

export interface MonthChartProps {
  readonly cells: readonly StatisticsCell[];
  readonly totals: Totals;
  /** The month that still runs. */
  readonly running: string;
}

/** A month with fewer contracts says little about days. */
const THIN_MONTH = 20;
/** Most tenders of a month have ended when not more than this share still runs. */
const RUNNING_SHARE_MAX = 0.1;
const YEARS_APART = 3;
const NOTHING = '–';

/** Whether a month has its year below it: January, and the first month unless January is so near that they would touch. */
function hasYear(cells: readonly StatisticsCell[], n: number): boolean {
  const isJanuary = (cell: StatisticsCell): boolean => cell.key.endsWith('-01');
  return cells.slice(n, n + 1).some(isJanuary) || (n === 0 && !cells.slice(0, YEARS_APART).some(isJanuary));
}

/** Words and numbers of the page's language, as charts and tables need them. */
export function useFormats({ cells, running }: MonthChartProps) {
  const { lang } = usePage();
  const t = STATISTICS[lang];
  const formatName = (month: string): string => {
    const name = formatMonth(month, lang);
    return month === running ? t.running(name) : name;
  };
  return {
    lang,
    t,
    number: (value: number): string => formatNumber(value, lang),
    tenth: (value: number): string => formatNumber(Math.round(value * 10) / 10, lang),
    share: (value: number): string => formatShare(value, lang),
    money: (amount: number): string => formatMoney({ amount, currency: 'UAH' }, lang),
    placeOf: ({ key }: StatisticsCell, n: number): Place => ({
      key,
      label: shortMonth(key, lang),
      under: hasYear(cells, n) ? key.slice(0, 4) : undefined,
    }),
    /** The same figures as a table; a month leads to its tenders. */
    table: (caption: string, columns: readonly string[], cellsOf: (cell: StatisticsCell) => string[]): ChartTable => ({
      caption,
      columns: [t.month, ...columns],
      rows: cells.map((cell) => ({
        key: cell.key,
        name: (
          <OwnLink to={`/tenders?createdFrom=${cell.key}-01&createdTo=${lastDayOf(cell.key)}`}>
            {formatName(cell.key)}
          </OwnLink>
        ),
        cells: cellsOf(cell),
      })),
    }),
  };
}

/** Published tenders by month, and how they ended. */
export function Outcomes(props: MonthChartProps): VNode {
  const { cells, totals, running } = props;
  const { lang, t, number, share, placeOf, table } = useFormats(props);
  const legend = OUTCOMES.map(([outcome, series]) => ({ series, text: t.outcome[outcome] }));
  const part = (count: number): string => `${number(count)} (${share(count / totals.tenders)})`;
  const { complete, unsuccessful, cancelled, active } = totals;
  const said = t.outcomesSaid(
    t.count(number(totals.tenders), totals.tenders),
    part(complete),
    part(unsuccessful),
    part(cancelled),
    part(active),
  );
  return (
    <ChartSection id="outcomes" title={t.outcomes.title} said={said}>
      <ChartFigure
        legend={legend}
        note={`${t.outcomes.note} ${t.byMonth} ${t.hatched(formatMonth(running, lang))}`}
        table={table(t.outcomes.title, [t.tenders, ...legend.map(({ text }) => text)], (cell) =>
          [cell.tenders, ...OUTCOMES.map(([outcome]) => cell[outcome])].map(number),
        )}
      >
        <ColumnChart
          id="outcomes"
          title={t.outcomes.title}
          description={said}
          places={cells.map((cell, n) => ({
            ...placeOf(cell, n),
            columns: [OUTCOMES.map(([outcome, series]) => ({ series, value: cell[outcome] }))],
            isRunning: cell.key === running,
          }))}
          format={(value) => formatShort(value, lang)}
        />
      </ChartFigure>
    </ChartSection>
  );
}

/** Bids of an opened tender, by month. */
export function Competition(props: MonthChartProps): VNode {
  const { cells, totals } = props;
  const { t, number, tenth, placeOf, table } = useFormats(props);
  const { opened, bids } = totals;
  const said =
    opened === 0
      ? undefined
      : t.competitionSaid(Math.round((bids / opened) * 10) / 10, t.count(number(opened), opened));
  return (
    <ChartSection id="competition" title={t.competition.title} said={said}>
      {said === undefined ? (
        <p class="empty-state">{t.competition.empty}</p>
      ) : (
        <ChartFigure
          note={t.competition.note}
          table={table(t.competition.title, [t.opened, t.bids, t.perTender], (cell) => [
            number(cell.opened),
            number(cell.bids),
            cell.competition === undefined ? NOTHING : tenth(cell.competition),
          ])}
        >
          <LineChart
            title={t.competition.title}
            description={said}
            places={cells.map((cell, n) => ({ ...placeOf(cell, n), value: cell.competition }))}
            series={1}
            format={tenth}
          />
        </ChartFigure>
      )}
    </ChartSection>
  );
}

/** The share of opened tenders with one bid, by month. */
export function SingleBids(props: MonthChartProps): VNode {
  const { cells, totals } = props;
  const { t, number, share, placeOf, table } = useFormats(props);
  const { opened, singles } = totals;
  const said = opened === 0 ? undefined : singles === 0 ? t.singleNone : t.singleSaid(share(singles / opened));
  return (
    <ChartSection id="single" title={t.single.title} said={said}>
      {said === undefined ? (
        <p class="empty-state">{t.competition.empty}</p>
      ) : (
        <ChartFigure
          note={t.single.note}
          table={table(t.single.title, [t.opened, t.oneBid], (cell) => [
            number(cell.opened),
            cell.singleBid === undefined ? NOTHING : share(cell.singleBid),
          ])}
        >
          <LineChart
            title={t.single.title}
            description={said}
            places={cells.map((cell, n) => ({ ...placeOf(cell, n), value: cell.singleBid }))}
            series={2}
            format={share}
          />
        </ChartFigure>
      )}
    </ChartSection>
  );
}

/** Days from publication to the contract: half of the contracts, and nine of ten. */
export function Days(props: MonthChartProps): VNode {
  const { cells } = props;
  const { lang, t, number, placeOf, table } = useFormats(props);
  const places = cells.map((cell, n): LinePlace => {
    const { p50, p90, count = 0 } = cell.daysToContract ?? {};
    return { ...placeOf(cell, n), value: p50, upTo: p90, isThin: count < THIN_MONTH };
  });
  // Of a month that still runs only the short tenders have their contract.
  const last = cells.findLast(
    ({ daysToContract, active, tenders }) =>
      (daysToContract?.count ?? 0) >= THIN_MONTH && active / tenders <= RUNNING_SHARE_MAX,
  );
  const days = last?.daysToContract;
  const said =
    last === undefined || days === undefined
      ? undefined
      : t.daysSaid(formatMonth(last.key, lang), t.daysOf(days.p50), t.daysOf(days.p90));
  return (
    <ChartSection id="days" title={t.days.title} said={said}>
      {places.every(({ value }) => value === undefined) ? (
        <p class="empty-state">{t.days.empty}</p>
      ) : (
        <ChartFigure
          note={t.days.note}
          table={table(t.days.title, [t.contracts, t.half, t.nine], ({ daysToContract: one }) =>
            one === undefined ? [number(0), NOTHING, NOTHING] : [one.count, one.p50, one.p90].map(number),
          )}
        >
          <LineChart
            title={t.days.title}
            description={said ?? t.days.note}
            places={places}
            series={4}
            format={number}
          />
        </ChartFigure>
      )}
    </ChartSection>
  );
}

/** Expected and contracted sums of completed tenders. */
export function Sums(props: MonthChartProps): VNode {
  const { cells, totals, running } = props;
  const { lang, t, number, share, money, placeOf, table } = useFormats(props);
  const { expected, contracted, otherCurrencies } = totals;
  const less = expected - contracted;
  const said =
    expected === 0
      ? undefined
      : (less < 0 ? t.sumsMore : t.sumsSaid)(money(contracted), money(expected), share(Math.abs(less) / expected));
  const others = otherCurrencies === 0 ? '' : ` ${t.others(t.count(number(otherCurrencies), otherCurrencies))}`;
  return (
    <ChartSection id="sums" title={t.sums.title} said={said}>
      {said === undefined ? (
        <p class="empty-state">{t.sums.empty}</p>
      ) : (
        <ChartFigure
          legend={[
            { series: 6, text: t.expected },
            { series: 3, text: t.contracted },
          ]}
          note={t.sums.note + others}
          table={table(t.sums.title, [t.contracts, t.expected, t.contracted], (cell) => [
            number(cell.complete),
            money(cell.expected),
            money(cell.contracted),
          ])}
        >
          <ColumnChart
            id="sums"
            title={t.sums.title}
            description={said}
            places={cells.map((cell, n) => ({
              ...placeOf(cell, n),
              columns: [[{ series: 6, value: cell.expected }], [{ series: 3, value: cell.contracted }]],
              isRunning: cell.key === running,
            }))}
            format={(value) => formatShort(value, lang)}
          />
        </ChartFigure>
      )}
    </ChartSection>
  );
}
