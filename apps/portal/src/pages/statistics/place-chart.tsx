import type { VNode } from 'preact';
import type { Statistics } from '../../api/reads.ts';
import { BarList } from '../../charts/bar-list.tsx';
import { ChartFigure } from '../../charts/chart-figure.tsx';
import { ChartSection } from '../../charts/chart-section.tsx';
import { formatMoney, formatNumber, shortHryvnias } from '../../format/money.ts';
import { OwnLink } from '../../parts/basics.tsx';
import { usePage } from '../../parts/page-context.ts';
import { FRAME } from '../../texts/frame.ts';
import { divisionName, regionName } from '../../texts/words.ts';
import { STATISTICS } from './texts.ts';

const BARS_MAX = 15;

interface PlaceChartProps {
  readonly part: 'what' | 'where';
  /** Undefined: it could not be read in time. */
  readonly found: Statistics | undefined;
}

/** Expected sums by division of the CPV, or by region: bars, the longest first, each linked to its tenders. */
export function PlaceChart({ part, found }: PlaceChartProps): VNode {
  const { lang, path } = usePage();
  const t = STATISTICS[lang];
  const { title, note } = t[part];
  if (found === undefined)
    return (
      <ChartSection id={part} title={title}>
        <p class="empty-state">
          {FRAME[lang].partMissing} <OwnLink to={path}>{FRAME[lang].loadPart}</OwnLink>
        </p>
      </ChartSection>
    );
  const formatName = (key: string): string =>
    part === 'what' ? `${key} ${divisionName(key, lang) ?? ''}`.trim() : regionName(key, lang);
  const money = (amount: number): string => formatMoney({ amount, currency: 'UAH' }, lang);
  const cells = found.data
    .filter(({ amount }) => amount > 0)
    .toSorted((one, other) => other.amount - one.amount)
    .slice(0, part === 'what' ? BARS_MAX : undefined)
    .map((cell) => {
      const filter = `${part === 'what' ? 'cpv' : 'region'}=${encodeURIComponent(cell.key)}`;
      const address = `/tenders?${filter}&createdFrom=${found.from}&createdTo=${found.to}`;
      return { ...cell, name: <OwnLink to={address}>{formatName(cell.key)}</OwnLink> };
    });
  const [most] = cells;
  if (most === undefined)
    return (
      <ChartSection id={part} title={title}>
        <p class="empty-state">{t.noSums}</p>
      </ChartSection>
    );
  return (
    <ChartSection id={part} title={title} said={t.mostSaid(formatName(most.key), money(most.amount))}>
      <ChartFigure
        note={note}
        table={{
          caption: title,
          columns: [part === 'what' ? t.division : t.region, t.tenders, t.amount],
          rows: cells.map(({ key, name, tenders, amount }) => ({
            key,
            name,
            cells: [formatNumber(tenders, lang), money(amount)],
          })),
        }}
      >
        <BarList
          label={title}
          bars={cells.map(({ key, name, amount }) => ({
            key,
            label: name,
            value: amount,
            text: shortHryvnias(amount, lang),
          }))}
        />
      </ChartFigure>
    </ChartSection>
  );
}
