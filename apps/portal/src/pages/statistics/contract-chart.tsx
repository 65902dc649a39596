import type { VNode } from 'preact';
import { BarList } from '../../charts/bar-list.tsx';
import { ChartFigure } from '../../charts/chart-figure.tsx';
import { ChartSection } from '../../charts/chart-section.tsx';
import { OwnLink } from '../../parts/basics.tsx';
import { useFormats, type MonthChartProps } from './month-charts.tsx';

/** What became of signed contracts: what they were signed for, what they cost now, and what was paid for those that ended. */
export function AfterSigning(props: MonthChartProps): VNode {
  const { signed, amended, terminated, contracted, contractedNow, paid } = props.totals;
  const { t, number, share, money, table } = useFormats(props);
  if (signed === 0)
    return (
      <ChartSection id="contracts" title={t.after.title}>
        <p class="empty-state">{t.sums.empty}</p>
      </ChartSection>
    );
  const more = contracted === 0 ? 0 : contractedNow / contracted - 1;
  const change = more === 0 ? t.afterSame : (more > 0 ? t.afterMore : t.afterLess)(share(Math.abs(more)));
  const said = `${t.afterSaid(t.contractCount(number(signed), signed), number(amended), number(terminated))} ${change}`;
  const bars = [
    { key: 'signed', label: t.atSigning, value: contracted, series: 6 },
    { key: 'now', label: t.now, value: contractedNow, series: 3 },
    { key: 'paid', label: t.paid, value: paid, series: 1 },
  ] as const;
  return (
    <ChartSection id="contracts" title={t.after.title} said={said}>
      <ChartFigure
        note={
          <>
            {t.after.note} <OwnLink to="/contracts">{t.newestContracts}</OwnLink>
          </>
        }
        table={table(t.after.title, [t.signed, t.amended, t.terminated, t.atSigning, t.now, t.paid], (cell) => [
          ...[cell.signed, cell.amended, cell.terminated].map(number),
          ...[cell.contracted, cell.contractedNow, cell.paid].map(money),
        ])}
      >
        <BarList label={t.after.title} bars={bars.map((bar) => ({ ...bar, text: money(bar.value) }))} />
      </ChartFigure>
    </ChartSection>
  );
}
