import type { Tender } from '@procurement/client';
import type { VNode } from 'preact';
import { valueOf } from '../../format/value-of.ts';
import { Amount, Code, Others, OwnLink, Paragraph, Tag, When, Written } from '../../parts/basics.tsx';
import { Files } from '../../parts/files.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { OrganizationDetails, supplierPath, type Party } from '../../parts/organizations.tsx';
import { usePage } from '../../parts/page-context.ts';
import { Related } from '../../parts/related.tsx';
import { TENDER } from './texts.ts';

interface OfTender {
  readonly tender: Tender;
}
type Award = NonNullable<Tender['awards']>[number];
type Contract = NonNullable<Tender['contracts']>[number];

const TONES = {
  active: 'good',
  unsuccessful: 'bad',
  cancelled: 'neutral',
  pending: 'info',
  terminated: 'neutral',
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
        <Tag tone={valueOf(TONES, status) ?? 'neutral'}>
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

function SupplierDetails({ suppliers }: { readonly suppliers: readonly Party[] }): VNode {
  return (
    <>
      {suppliers.map((supplier) => (
        <OrganizationDetails key={supplier.identifier.id} party={supplier} />
      ))}
    </>
  );
}

function Suppliers({ suppliers }: { readonly suppliers: readonly Party[] }): VNode {
  return (
    <>
      {suppliers.map((supplier, n) => (
        <span key={supplier.identifier.id}>
          {n > 0 && ', '}
          <OwnLink to={supplierPath(supplier.identifier)}>
            <Written of={supplier} name="name" />
          </OwnLink>
        </span>
      ))}
    </>
  );
}

export function ContractSection({ tender: { contracts = [], awards = [] } }: OfTender): VNode {
  const { lang } = usePage();
  if (contracts.length === 0) return <p class="quiet">{TENDER[lang].noContract}</p>;
  return (
    <LongList
      entries={contracts}
      show={(part) =>
        part.map((contract) => (
          <ContractCard
            key={contract.id}
            contract={contract}
            lotID={awards.find(({ id }) => id === contract.awardID)?.lotID}
          />
        ))
      }
    />
  );
}

interface ContractProps {
  readonly contract: Contract;
  /** The lot of its award. */
  readonly lotID: string | undefined;
}

function ContractCard({ contract, lotID }: ContractProps): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const { status, value, dateSigned, period, contractNumber, contractID, suppliers = [], documents = [] } = contract;
  return (
    <div class="card">
      <p>
        <Tag tone={valueOf(TONES, status) ?? 'neutral'}>
          <Code list="contractStatus" code={status} />
        </Tag>{' '}
        {value !== undefined && <Amount value={value} class="number figure" />}{' '}
        {value !== undefined && (
          <span class="quiet small">{value.valueAddedTaxIncluded ? t.withVat : t.withoutVat}</span>
        )}{' '}
        <Related to={lotID} />
      </p>
      <Paragraph of={contract} name="title" />
      <Paragraph of={contract} name="description" />
      <dl class="facts">
        <div>
          <dt>{t.number}</dt>
          <dd>
            <Others text={contractNumber ?? contractID} />
          </dd>
          {contractNumber !== undefined && (
            <dd class="quiet small">
              <Others text={contractID} />
            </dd>
          )}
        </div>
        {suppliers.length > 0 && (
          <div>
            <dt>{t.supplier}</dt>
            <dd>
              <Suppliers suppliers={suppliers} />
              <SupplierDetails suppliers={suppliers} />
            </dd>
          </div>
        )}
        {dateSigned !== undefined && (
          <div>
            <dt>{t.signed}</dt>
            <dd>
              <When at={dateSigned} as="day" />
            </dd>
          </div>
        )}
        {period !== undefined && (
          <div>
            <dt>{t.contractTerm}</dt>
            <dd>
              {period.startDate !== undefined && <When at={period.startDate} as="day" />} –{' '}
              {period.endDate !== undefined && <When at={period.endDate} as="day" />}
            </dd>
          </div>
        )}
      </dl>
      {documents.length > 0 && <Files files={documents} />}
    </div>
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
