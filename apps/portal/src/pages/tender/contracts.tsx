import type { Tender } from '@procurement/client';
import type { VNode } from 'preact';
import { implementationOf, type SignedContract } from '../../domain/contract.ts';
import { paidTotals } from '../../domain/payments.ts';
import { Amount, Others, OwnLink, Paragraph, When } from '../../parts/basics.tsx';
import { ContractStatus } from '../../parts/contract-status.tsx';
import { FactsRow } from '../../parts/facts-row.tsx';
import { Files } from '../../parts/files.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { usePage } from '../../parts/page-context.ts';
import { Related } from '../../parts/related.tsx';
import { Vat } from '../../parts/vat.tsx';
import { Term } from '../contract/differences-table.tsx';
import { CONTRACT } from '../contract/texts.ts';
import { SupplierDetails, Suppliers } from './awards.tsx';
import { TENDER } from './texts.ts';

export function ContractSection({ tender: { contracts = [], awards = [] } }: { readonly tender: Tender }): VNode {
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
  readonly contract: SignedContract;
  /** The lot of its award. */
  readonly lotID: string | undefined;
}

/** The contract in short, as it is now. Its own page says everything. */
function ContractCard({ contract, lotID }: ContractProps): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  const { id, contractNumber, contractID, suppliers = [], documents = [], dateSigned } = contract;
  const present = { ...contract, ...implementationOf(contract) };
  const { status, value, period } = present;
  return (
    <div class="card">
      <p>
        <ContractStatus status={status} /> {value !== undefined && <Amount value={value} class="number figure" />}{' '}
        {value !== undefined && (
          <span class="quiet small">
            <Vat value={value} />
          </span>
        )}{' '}
        <Related to={lotID} />
      </p>
      <Paragraph of={present} name="title" />
      <Paragraph of={present} name="description" />
      <dl class="facts">
        <FactsRow name={t.number}>
          <Others text={contractNumber ?? contractID} />
          {contractNumber !== undefined && (
            <p class="quiet small">
              <span class="number">
                <Others text={contractID} />
              </span>
            </p>
          )}
        </FactsRow>
        {suppliers.length > 0 && (
          <FactsRow name={t.supplier}>
            <Suppliers suppliers={suppliers} />
            <SupplierDetails suppliers={suppliers} />
          </FactsRow>
        )}
        {dateSigned !== undefined && (
          <FactsRow name={t.signed}>
            <When at={dateSigned} as="day" />
          </FactsRow>
        )}
        {period !== undefined && (
          <FactsRow name={t.term}>
            <Term period={period} />
          </FactsRow>
        )}
        <Followed contract={contract} />
      </dl>
      {documents.length > 0 && <Files files={documents} />}
      <p>
        <OwnLink to={`/contracts/${id}`}>{t.whole}</OwnLink>
      </p>
    </div>
  );
}

/** What followed the signature, in figures. */
function Followed({ contract }: Pick<ContractProps, 'contract'>): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  const {
    value: present,
    changes = [],
    transactions = [],
    amountPaid,
    date,
    terminationDetails,
  } = implementationOf(contract);
  const inForce = changes.filter(({ status }) => status === 'active').length;
  return (
    <>
      {present !== undefined && contract.value !== undefined && (
        <FactsRow name={t.atSigning}>
          <Amount value={contract.value} />
        </FactsRow>
      )}
      {inForce > 0 && <FactsRow name={t.amendments}>{t.changesCount(inForce)}</FactsRow>}
      {paidTotals(transactions).map((total) => (
        <FactsRow key={total.currency} name={t.transactionsPaid}>
          <Amount value={total} />
        </FactsRow>
      ))}
      {amountPaid !== undefined && (
        <FactsRow name={t.amountPaid}>
          <Amount value={amountPaid} />
        </FactsRow>
      )}
      {date !== undefined && (
        <FactsRow name={t.ended}>
          <When at={date} as="day" />
        </FactsRow>
      )}
      {terminationDetails !== undefined && (
        <FactsRow name={t.reason}>
          <Others text={terminationDetails} />
        </FactsRow>
      )}
    </>
  );
}
