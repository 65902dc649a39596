import { scaleLinear } from 'd3-scale';
import type { VNode } from 'preact';
import type { Money } from '../domain/money.ts';
import { formatMoney } from '../format/money.ts';
import { Others, Tag } from '../parts/basics.tsx';
import { usePage } from '../parts/page-context.ts';
import { translations } from '../texts/translations.ts';
import { percent } from './plot.tsx';

const TEXTS = translations({
  uk: {
    title: 'Остаточні ціни пропозицій, від найкращої',
    winner: 'Переможець',
    expected: 'Очікувана вартість',
    axis: (from: string, to: string) => `Вісь починається не з нуля: від ${from} до ${to}.`,
  },
  en: {
    title: 'Final amounts of the bids, the best one first',
    winner: 'Winner',
    expected: 'Expected value',
    axis: (from: string, to: string) => `The axis does not start at zero: from ${from} to ${to}.`,
  },
});

export interface ChartBid {
  readonly id: string;
  /** Who bids. */
  readonly name: string;
  readonly amount: number;
}

interface BidChartProps {
  /** The bids in their order, the best one first. */
  readonly bids: readonly ChartBid[];
  readonly expected: Money;
  /** Id of the bid that won. */
  readonly winner?: string | undefined;
}

/** Room for a dot at both ends, in per cent. */
const EDGE = 2;

/**
 * The amounts of an auction: a dot for each bid, between the lowest amount and the expected value, which is a dashed line. Each line says its
 * figure, so that the dots add nothing to hear. Nothing for no bid, or when all amounts are the expected value.
 */
export function BidChart({ bids, expected, winner }: BidChartProps): VNode | null {
  const { lang } = usePage();
  const t = TEXTS[lang];
  const amounts = [expected.amount, ...bids.map(({ amount }) => amount)];
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  if (bids.length === 0 || least === most) return null;
  const scale = scaleLinear()
    .domain([least, most])
    .range([EDGE, 100 - EDGE]);
  const money = (amount: number): string => formatMoney({ amount, currency: expected.currency }, lang);
  const line = percent(scale(expected.amount));
  return (
    <figure class="chart">
      <ol class="bid-chart" aria-label={t.title}>
        {bids.map(({ id, name, amount }) => (
          <li key={id}>
            <span class="bid-name">
              <Others text={name} />
              {id === winner && <Tag tone="good">{t.winner}</Tag>}
            </span>{' '}
            <span class="number">{money(amount)}</span>
            <svg class="series-1" aria-hidden="true">
              <line class="axis" x1="0" x2="100%" y1="50%" y2="50%" />
              <line class="expected dash" x1={line} x2={line} y1="0" y2="100%" />
              <circle class={id === winner ? 'fill' : 'hollow'} cx={percent(scale(amount))} cy="50%" r="6" />
            </svg>
          </li>
        ))}
      </ol>
      <figcaption class="quiet small">
        <span class="dash-key" /> {t.expected}: <span class="number">{money(expected.amount)}</span>.{' '}
        {t.axis(money(least), money(most))}
      </figcaption>
    </figure>
  );
}
