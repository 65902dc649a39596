import type { VNode } from 'preact';
import type { StatisticsCell } from '@procurement/client';
import type { Found } from '../../api/reads.ts';
import { BarList, StackedBar } from '../../charts/bar-list.tsx';
import { ChartFigure } from '../../charts/chart-figure.tsx';
import { ChartSection } from '../../charts/chart-section.tsx';
import { OUTCOMES } from '../../charts/outcomes.ts';
import type { Organization, Party } from '../../domain/party.ts';
import { formatMoney, formatNumber, formatShare, shortHryvnias } from '../../format/money.ts';
import { OwnLink } from '../../parts/basics.tsx';
import { usePage } from '../../parts/page-context.ts';
import { KeyFigures } from '../../parts/key-figures.tsx';
import { PartyHead } from '../../parts/party-head.tsx';
import { ResultRows } from '../../parts/result-rows.tsx';
import { divisionName } from '../../texts/words.ts';
import { BUYER } from './texts.ts';

interface BuyerProps {
  readonly party: Party;
  readonly found: Organization | undefined;
  readonly tenders: Found;
  /** Undefined: they could not be read in time. */
  readonly sums: StatisticsCell | undefined;
}

const DIVISIONS_MAX = 8;

export function BuyerView({ party, found, tenders, sums }: BuyerProps): VNode {
  const { lang } = usePage();
  const t = BUYER[lang];
  return (
    <>
      <PartyHead party={party} found={found} />
      <Figures party={party} tenders={tenders} sums={sums} />
      <div class="columns columns-6-6">
        {sums !== undefined && (
          <div>
            <Outcomes sums={sums} />
            <Sums sums={sums} />
          </div>
        )}
        <Divisions party={party} tenders={tenders} />
      </div>
      <section id="tenders">
        <h2>{t.newest}</h2>
        <ResultRows tenders={tenders.data} ofBuyer />
        <p class="pager">
          <OwnLink to={`/tenders?buyer=${party.key}`}>{t.all}</OwnLink>
        </p>
      </section>
    </>
  );
}

function Figures({ party, tenders: { total, facets }, sums }: Omit<BuyerProps, 'found'>): VNode {
  const { lang } = usePage();
  const { figures } = BUYER[lang];
  const open = facets?.status?.find(({ key }) => key === 'active.tendering')?.count ?? 0;
  const address = `/tenders?status=active.tendering&buyer=${party.key}`;
  return (
    <KeyFigures
      figures={[
        ...(total === undefined
          ? []
          : [{ name: figures.tenders, value: formatNumber(total.value, lang), to: `/tenders?buyer=${party.key}` }]),
        { name: figures.open, value: formatNumber(open, lang), to: address },
        ...(sums?.competition === undefined
          ? []
          : [{ name: figures.competition, value: formatNumber(Math.round(sums.competition * 10) / 10, lang) }]),
        ...(sums === undefined
          ? []
          : [
              { name: figures.contracted, value: shortHryvnias(sums.contracted, lang) },
              {
                name: figures.signed,
                value: formatNumber(sums.signed, lang),
                to: `/tenders?contractStatus=active,terminated&buyer=${party.key}`,
              },
              { name: figures.paid, value: shortHryvnias(sums.paid, lang) },
            ]),
      ]}
    />
  );
}

/** How all tenders of the buyer ended: parts of a whole. */
function Outcomes({ sums }: { readonly sums: StatisticsCell }): VNode {
  const { lang } = usePage();
  const t = BUYER[lang];
  const parts = OUTCOMES.map(([outcome, series]) => ({ outcome, series, value: sums[outcome] }));
  return (
    <ChartSection id="outcomes" title={t.outcomes.title}>
      <ChartFigure
        legend={parts.map(({ outcome, series, value }) => ({
          series,
          text: `${t.outcome[outcome]}: ${formatNumber(value, lang)}`,
        }))}
        note={`${t.outcomes.note} ${t.count(formatNumber(sums.tenders, lang), sums.tenders)}.`}
        table={{
          caption: t.outcomes.title,
          columns: [t.outcomes.title, t.tenders, t.share],
          rows: parts.map(({ outcome, value }) => ({
            key: outcome,
            name: t.outcome[outcome],
            cells: [formatNumber(value, lang), formatShare(value / sums.tenders, lang)],
          })),
        }}
      >
        <StackedBar parts={parts} />
      </ChartFigure>
    </ChartSection>
  );
}

function Sums({ sums: { expected, contracted } }: { readonly sums: StatisticsCell }): VNode {
  const { lang } = usePage();
  const t = BUYER[lang];
  const rows = [
    { key: 'expected', label: t.expected, value: expected, series: 6 },
    { key: 'contracted', label: t.contracts, value: contracted, series: 3 },
  ] as const;
  const money = (amount: number): string => formatMoney({ amount, currency: 'UAH' }, lang);
  return (
    <ChartSection id="sums" title={t.sums.title}>
      {expected === 0 ? (
        <p class="empty-state">{t.sums.empty}</p>
      ) : (
        <ChartFigure
          note={t.sums.note}
          table={{
            caption: t.sums.title,
            columns: [t.sums.title, t.amount],
            rows: rows.map(({ key, label, value }) => ({ key, name: label, cells: [money(value)] })),
          }}
        >
          <BarList label={t.sums.title} bars={rows.map((row) => ({ ...row, text: money(row.value) }))} />
        </ChartFigure>
      )}
    </ChartSection>
  );
}

function Divisions({ party, tenders: { facets } }: Pick<BuyerProps, 'party' | 'tenders'>): VNode | null {
  const { lang } = usePage();
  const t = BUYER[lang];
  const divisions = (facets?.cpv ?? []).slice(0, DIVISIONS_MAX).map(({ key, count }) => ({
    key,
    value: count,
    text: formatNumber(count, lang),
    label: (
      <OwnLink to={`/tenders?cpv=${key}&buyer=${party.key}`}>
        {`${key} ${divisionName(key, lang) ?? ''}`.trim()}
      </OwnLink>
    ),
  }));
  if (divisions.length === 0) return null;
  return (
    <ChartSection id="what" title={t.what.title}>
      <ChartFigure
        note={t.what.note}
        table={{
          caption: t.what.title,
          columns: [t.division, t.tenders],
          rows: divisions.map(({ key, label, text }) => ({ key, name: label, cells: [text] })),
        }}
      >
        <BarList label={t.what.title} bars={divisions} />
      </ChartFigure>
    </ChartSection>
  );
}
