import type { Tender } from '@procurement/client';
import type { VNode } from 'preact';
import { findValue } from '../../format/find-value.ts';
import { Amount, Code, Paragraph, Tag, When, Written } from '../../parts/basics.tsx';
import { Files } from '../../parts/files.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { OrganizationDetails, PartyLink, type Party } from '../../parts/organizations.tsx';
import { usePage } from '../../parts/page-context.ts';
import { Related } from '../../parts/related.tsx';
import { TENDER } from './texts.ts';

interface OfTender {
  readonly tender: Tender;
}
type Award = NonNullable<Tender['awards']>[number];

const TONES = {
  active: 'good',
  unsuccessful: 'bad',
  cancelled: 'neutral',
  pending: 'info',
} as const;

export function AwardsSection({ tender: { awards = [] } }: OfTender): VNode {
  const { lang } = usePage();
  if (awards.length === 0) return <p class="quiet">{TENDER[lang].noAwards}</p>;
  return <LongList entries={awards} show={(part) => part.map((award) => <AwardCard key={award.id} award={award} />)} />;
}

function AwardCard({ award }: { readonly award: Award }): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const { status, value, suppliers, lotID, date, complaintPeriod, documents = [] } = award;
  return (
    <div class="card">
      <h3>
        <Suppliers suppliers={suppliers} />
      </h3>
      <p>
        <Tag tone={findValue(TONES, status) ?? 'neutral'}>
          <Code list="awardStatus" code={status} />
        </Tag>{' '}
        {value !== undefined && <Amount value={value} class="number figure" />} <Related to={lotID} />
      </p>
      <Paragraph of={award} name="title" />
      <Paragraph of={award} name="description" />
      <p class="quiet small">
        <When at={date} />
        {complaintPeriod?.endDate !== undefined && (
          <>
            {' '}
            · {t.standstill} <When at={complaintPeriod.endDate} />
          </>
        )}
      </p>
      <SupplierDetails suppliers={suppliers} />
      {documents.length > 0 && <Files files={documents} />}
    </div>
  );
}

export function SupplierDetails({ suppliers }: { readonly suppliers: readonly Party[] }): VNode {
  return (
    <>
      {suppliers.map((supplier) => (
        <OrganizationDetails key={supplier.identifier.id} party={supplier} />
      ))}
    </>
  );
}

/** Links to the pages of suppliers. */
export function Suppliers({ suppliers }: { readonly suppliers: readonly Party[] }): VNode {
  return (
    <>
      {suppliers.map((supplier, n) => (
        <span key={supplier.identifier.id}>
          {n > 0 && ', '}
          <PartyLink party={supplier} of="suppliers" />
        </span>
      ))}
    </>
  );
}

export function CancellationsSection({ tender: { cancellations = [] } }: OfTender): VNode {
  return (
    <>
      {cancellations.map(({ id, status, date, relatedLot, documents = [], ...texts }) => (
        <div key={id} class="card">
          <p>
            <Tag tone={status === 'active' ? 'bad' : 'info'}>
              <Code list="cancellationStatus" code={status} />
            </Tag>{' '}
            <When at={date} /> <Related to={relatedLot} />
          </p>
          <p>
            <Written of={texts} name="reason" />
          </p>
          {documents.length > 0 && <Files files={documents} />}
        </div>
      ))}
    </>
  );
}
