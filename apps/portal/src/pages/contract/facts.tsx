import type { VNode } from 'preact';
import { isSigned, type ContractData, type ContractTender, type SignedContract } from '../../domain/contract.ts';
import { paidTotals } from '../../domain/payments.ts';
import { Amount, Others, OwnLink, When } from '../../parts/basics.tsx';
import { FactsRow } from '../../parts/facts-row.tsx';
import { IdentifierText, OrganizationDetails, PartyLink, type PartyLinkProps } from '../../parts/organizations.tsx';
import { usePage } from '../../parts/page-context.ts';
import { Related } from '../../parts/related.tsx';
import { Vat } from '../../parts/vat.tsx';
import { ShareOfChange, Term } from './differences-table.tsx';
import { CONTRACT } from './texts.ts';

interface FactsProps {
  readonly contract: ContractData;
  /** Undefined when it could not be read in time. */
  readonly tender: ContractTender | undefined;
  readonly signed: SignedContract | undefined;
}

/** The facts that everybody asks for first: what it costs, what was paid, who, until when. */
export function Facts({ contract, tender, signed }: FactsProps): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  const {
    value,
    amountPaid,
    period,
    dateSigned,
    procuringEntity,
    suppliers = [],
    contractNumber,
    contractID,
  } = contract;
  const lotID = tender?.awards?.find(({ id }) => id === contract.awardID)?.lotID;
  const wasOther = signed?.value !== undefined && value !== undefined && signed.value.amount !== value.amount;
  return (
    <dl class="facts">
      {value !== undefined && (
        <FactsRow name={isSigned(contract) ? t.value : t.valuePending}>
          <Amount value={value} class="number figure" />
          <VatAndNet value={value} />
        </FactsRow>
      )}
      {wasOther && (
        <FactsRow name={t.atSigning}>
          <Amount value={signed.value} />
          <ShareOfChange signed={signed.value} present={value} />
        </FactsRow>
      )}
      {amountPaid !== undefined && (
        <FactsRow name={t.amountPaid}>
          <Amount value={amountPaid} class="number figure" />
          <VatAndNet value={amountPaid} />
        </FactsRow>
      )}
      {paidTotals(contract.implementation?.transactions ?? []).map((total) => (
        <FactsRow key={total.currency} name={t.transactionsPaid}>
          <Amount value={total} />
        </FactsRow>
      ))}
      {procuringEntity !== undefined && <Organization name={t.buyer} party={procuringEntity} of="buyers" withContact />}
      {suppliers.map((supplier) => (
        <Organization key={supplier.identifier.id} name={t.supplier} party={supplier} of="suppliers" />
      ))}
      {period !== undefined && (
        <FactsRow name={t.term}>
          <Term period={period} />
        </FactsRow>
      )}
      {dateSigned !== undefined && (
        <FactsRow name={t.signed}>
          <When at={dateSigned} as="day" />
        </FactsRow>
      )}
      <FactsRow name={t.number}>
        <Others text={contractNumber ?? contractID} />
        {contractNumber !== undefined && (
          <p class="quiet small number">
            <Others text={contractID} />
          </p>
        )}
      </FactsRow>
      <FactsRow name={t.tender}>
        <OwnLink to={`/tenders/${tender?.tenderID ?? contract.tender_id}`}>
          <span class="number">{tender?.tenderID ?? contract.tender_id}</span>
        </OwnLink>
        <p>
          <Related to={lotID} />
        </p>
      </FactsRow>
    </dl>
  );
}

/** Whether the amount is with VAT, and the amount without it where the buyer says it. */
function VatAndNet({ value }: { readonly value: NonNullable<ContractData['value']> }): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  const { amountNet, currency, valueAddedTaxIncluded } = value;
  return (
    <p class="quiet small">
      <Vat value={value} />
      {amountNet !== undefined && valueAddedTaxIncluded && (
        <>
          {' · '}
          {t.net} <Amount value={{ amount: amountNet, currency }} />
        </>
      )}
    </p>
  );
}

interface OrganizationProps extends PartyLinkProps {
  readonly name: string;
  readonly withContact?: boolean;
}

function Organization({ name, party, of: kind, withContact = false }: OrganizationProps): VNode {
  return (
    <FactsRow name={name}>
      <PartyLink party={party} of={kind} />
      <p class="quiet small">
        <IdentifierText {...party.identifier} />
      </p>
      <OrganizationDetails party={party} withContact={withContact} />
    </FactsRow>
  );
}
