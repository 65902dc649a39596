import type { Tender } from '@procurement/client';
import type { VNode } from 'preact';
import { lotLifeLine } from '../../domain/lot-life-line.ts';
import { findValue } from '../../format/find-value.ts';
import { Amount, Code, Paragraph, Tag, textIn, Written } from '../../parts/basics.tsx';
import { LifeLine } from '../../parts/life-line.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { usePage } from '../../parts/page-context.ts';
import { TENDER } from './texts.ts';

type Lot = NonNullable<Tender['lots']>[number];

interface LotsProps {
  readonly tender: Tender;
}

export function LotsSection({ tender }: LotsProps): VNode {
  const { lots = [] } = tender;
  const show = (part: readonly Lot[]): readonly VNode[] =>
    part.map((lot) => <LotCard key={lot.id} lot={lot} tender={tender} />);
  return <LongList entries={lots} show={show} />;
}

const LOT_TONES: Readonly<Record<string, 'neutral' | 'bad' | 'info'>> = {
  active: 'info',
  unsuccessful: 'bad',
  cancelled: 'bad',
};

function LotCard({ lot, tender }: LotsProps & { readonly lot: Lot }): VNode {
  const { lang, nowMs } = usePage();
  const t = TENDER[lang];
  const { status = 'active', value, minimalStep, guarantee, numberOfBids } = lot;
  // The only lot goes the way of its tender, which stands above.
  const isOneOfSeveral = (tender.lots ?? []).length > 1;
  return (
    <div class="card" id={`lot-${lot.id}`}>
      <h3>
        <Written of={lot} name="title" />
      </h3>
      <p>
        <Tag tone={findValue(LOT_TONES, status) ?? 'neutral'}>
          <Code list="lotStatus" code={status} />
        </Tag>{' '}
        <Amount value={value} class="number figure" />
      </p>
      <Paragraph of={lot} name="description" />
      <p class="small quiet">
        {minimalStep === undefined ? (
          t.withoutAuction
        ) : (
          <>
            {t.step}: <Amount value={minimalStep} />
          </>
        )}
        {guarantee !== undefined && (
          <>
            {' '}
            · {t.guarantee}: <Amount value={guarantee} />
          </>
        )}
        {numberOfBids !== undefined && ` · ${t.bidsCount}: ${numberOfBids}`}
      </p>
      {isOneOfSeveral && (
        <LifeLine
          steps={lotLifeLine(tender, lot, new Date(nowMs).toISOString())}
          of={textIn(lot, 'title', lang)?.text ?? lot.id ?? ''}
        />
      )}
    </div>
  );
}
