import type { ComponentChildren, VNode } from 'preact';
import { shareOfChange, type ContractDifference } from '../../domain/contract-differences.ts';
import type { ContractData } from '../../domain/contract.ts';
import { formatNumber, formatShare } from '../../format/money.ts';
import { Amount, Others, textIn, When, Written } from '../../parts/basics.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { usePage } from '../../parts/page-context.ts';
import { Vat } from '../../parts/vat.tsx';
import { Delivery } from '../tender/items.tsx';
import { CONTRACT } from './texts.ts';

type Item = NonNullable<ContractData['items']>[number];

/** What is not as it was signed, beside what was signed. */
export function DifferencesTable({ differences }: { readonly differences: readonly ContractDifference[] }): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  return (
    <LongList
      entries={differences}
      show={(part) => (
        <table class="data-table diff-table rows">
          <thead>
            <tr>
              <th scope="col">{t.name}</th>
              <th scope="col">{t.was}</th>
              <th scope="col">{t.present}</th>
            </tr>
          </thead>
          <tbody>
            {part.map((one) => (
              <DifferenceRow key={one.kind === 'item' ? one.present.id : one.kind} difference={one} />
            ))}
          </tbody>
        </table>
      )}
    />
  );
}

function DifferenceRow({ difference }: { readonly difference: ContractDifference }): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  return (
    <tr>
      <th scope="row" data-name={t.name}>
        {difference.kind === 'item' ? (
          <>
            {t.item}: <Written of={difference.present} name="description" />
          </>
        ) : (
          t.differs[difference.kind]
        )}
      </th>
      <td data-name={t.was}>
        <Side difference={difference} side="signed" />
      </td>
      <td data-name={t.present}>
        <Side difference={difference} side="present" />
        <Change difference={difference} />
      </td>
    </tr>
  );
}

interface SideProps {
  readonly difference: ContractDifference;
  readonly side: 'signed' | 'present';
}

function Side({ difference, side }: SideProps): ComponentChildren {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  if (difference.kind === 'item') return <ItemTerms item={difference[side]} />;
  const terms = difference[side];
  switch (difference.kind) {
    case 'value':
      return terms.value === undefined ? (
        <span class="quiet">{t.absent}</span>
      ) : (
        <>
          <Amount value={terms.value} />{' '}
          <span class="quiet small">
            <Vat value={terms.value} />
          </span>
        </>
      );
    case 'period':
      return <Term period={terms.period} />;
    default:
      return textIn(terms, difference.kind, lang) === undefined ? (
        <span class="quiet">{t.absent}</span>
      ) : (
        <Written of={terms} name={difference.kind} />
      );
  }
}

/** Says by how much the value rose or fell. */
function Change({ difference }: Pick<SideProps, 'difference'>): VNode | null {
  if (difference.kind !== 'value') return null;
  return <ShareOfChange signed={difference.signed.value} present={difference.present.value} />;
}

/** `4 % more`; nothing when that cannot be told. */
export function ShareOfChange(props: {
  readonly signed: ContractData['value'];
  readonly present: ContractData['value'];
}): VNode | null {
  const { lang } = usePage();
  const share = shareOfChange(props.signed, props.present);
  if (share === undefined) return null;
  const words = formatShare(Math.abs(share), lang);
  return <p class="quiet small">{share > 0 ? CONTRACT[lang].more(words) : CONTRACT[lang].less(words)}</p>;
}

/** Says from when until when. */
export function Term({ period }: { readonly period: ContractData['period'] }): VNode {
  const { lang } = usePage();
  const { startDate, endDate } = period ?? {};
  if (startDate === undefined && endDate === undefined) return <span class="quiet">{CONTRACT[lang].absent}</span>;
  return (
    <>
      {startDate !== undefined && (
        <>
          {CONTRACT[lang].from} <When at={startDate} as="day" />{' '}
        </>
      )}
      {endDate !== undefined && (
        <>
          {CONTRACT[lang].until} <When at={endDate} as="day" />
        </>
      )}
    </>
  );
}

function ItemTerms({ item }: { readonly item: Item }): VNode {
  const { lang } = usePage();
  const { quantity, unit } = item;
  const unitName = unit === undefined ? undefined : (textIn(unit, 'name', lang)?.text ?? unit.code);
  return (
    <>
      <Written of={item} name="description" />
      <p class="small">
        {quantity !== undefined && <span class="number">{formatNumber(quantity, lang)}</span>}{' '}
        {unitName !== undefined && <Others text={unitName} />}
        {unit?.value !== undefined && (
          <>
            {' × '}
            <Amount value={unit.value} />
          </>
        )}
      </p>
      <p class="quiet small">
        <Delivery item={item} />
      </p>
    </>
  );
}
