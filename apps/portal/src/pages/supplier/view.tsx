import type { VNode } from 'preact';
import type { Found } from '../../api/reads.ts';
import type { Organization, Party } from '../../domain/party.ts';
import { formatNumber } from '../../format/money.ts';
import { OwnLink } from '../../parts/basics.tsx';
import { KeyFigures } from '../../parts/key-figures.tsx';
import { usePage } from '../../parts/page-context.ts';
import { PartyHead } from '../../parts/party-head.tsx';
import { ResultRows } from '../../parts/result-rows.tsx';
import { SUPPLIER } from './texts.ts';

interface SupplierProps {
  readonly party: Party;
  readonly found: Organization | undefined;
  readonly won: Found;
  readonly bids: Found;
}

export function SupplierView({ party, found, won, bids }: SupplierProps): VNode {
  const { lang } = usePage();
  const t = SUPPLIER[lang];
  const lists = [
    { id: 'won', title: t.won, note: t.wonNote, none: t.wonNone, list: won, to: `/tenders?supplier=${party.key}` },
    { id: 'bids', title: t.bids, note: t.bidsNote, none: t.bidsNone, list: bids, to: `/tenders?bidder=${party.key}` },
  ];
  return (
    <>
      <PartyHead party={party} found={found} />
      <KeyFigures
        figures={lists.map(({ title, list, to }) => ({
          name: title,
          value: formatNumber(list.total?.value ?? list.data.length, lang),
          to,
        }))}
      />
      {lists.map(({ id, title, note, none, list, to }) => (
        <section key={id} id={id}>
          <h2>{title}</h2>
          {list.data.length === 0 ? (
            <p class="empty-state">{none}</p>
          ) : (
            <>
              <p class="quiet small">{note}</p>
              <ResultRows tenders={list.data} />
              {list.total !== undefined && list.total.value > list.data.length && (
                <p class="pager">
                  <OwnLink to={to}>{t.all(formatNumber(list.total.value, lang), list.total.value)}</OwnLink>
                </p>
              )}
            </>
          )}
        </section>
      ))}
    </>
  );
}
