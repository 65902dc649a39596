import type { FoundTender } from '@procurement/client';
import type { VNode } from 'preact';
import { Amount, Others, OwnLink, textIn, When } from '../../parts/basics.tsx';
import { ContractStatus } from '../../parts/contract-status.tsx';
import { Guarded } from '../../parts/guarded.tsx';
import { PartyLink } from '../../parts/organizations.tsx';
import { usePage } from '../../parts/page-context.ts';
import { separated } from '../../parts/result-rows.tsx';
import { TestTag, TitleWithoutMark } from '../../parts/test-mark.tsx';
import { CONTRACT } from '../contract/texts.ts';
import type { ContractRow } from './route.tsx';

interface ContractsProps {
  readonly contracts: readonly ContractRow[];
  /** Their tenders by id, as far as they could be read in time: contracts seldom have titles. */
  readonly tenders: ReadonlyMap<string, FoundTender>;
  /** Offset of the next page; undefined for the last one. */
  readonly older: string | undefined;
  readonly isFirst: boolean;
  /** Address of the list in the API. */
  readonly api: string;
}

export function ContractsView({ contracts, tenders, older, isFirst, api }: ContractsProps): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  return (
    <>
      <div class="page-head">
        <h1>{t.contracts}</h1>
        <p class="lead">{t.listLead}</p>
      </div>
      {contracts.length === 0 ? (
        <p class="empty-state">{isFirst ? t.listNone : t.listEnd}</p>
      ) : (
        <ol class="result-list">
          {contracts.map((contract) => (
            <li key={contract.id} class="result-row">
              <Guarded data={contract}>
                <Row contract={contract} tender={tenders.get(contract.tender_id)} />
              </Guarded>
            </li>
          ))}
        </ol>
      )}
      <p class="pager">
        {!isFirst && <OwnLink to="/contracts">{t.newest}</OwnLink>}
        {older !== undefined && <OwnLink to={`/contracts?offset=${encodeURIComponent(older)}`}>{t.older}</OwnLink>}
        <a href={api}>{t.api}</a>
      </p>
    </>
  );
}

interface RowProps {
  readonly contract: ContractRow;
  readonly tender: FoundTender | undefined;
}

function Row({ contract, tender }: RowProps): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  const { id, status, date, contractID, contractNumber, value, amountPaid, dateSigned, mode } = contract;
  const { procuringEntity, suppliers = [] } = contract;
  const titled = [contract, tender].find((one) => one !== undefined && textIn(one, 'title', lang) !== undefined);
  const numbered = <Others text={t.numbered(contractNumber ?? contractID)} />;
  const moments = [
    ...(dateSigned === undefined ? [] : [fact('signed', t.signedOn, <When at={dateSigned} as="day" />)]),
    ...(status === 'terminated' ? [fact('ended', t.endedOn, <When at={date} as="day" />)] : []),
    ...(amountPaid === undefined ? [] : [fact('paid', t.paid, <Amount value={amountPaid} />)]),
  ];
  return (
    <>
      <h2>
        <OwnLink to={`/contracts/${id}`}>{titled === undefined ? numbered : <TitleWithoutMark of={titled} />}</OwnLink>
      </h2>
      {value === undefined ? <span /> : <Amount value={value} class="number figure" />}
      <p class="row-facts quiet small">
        {titled !== undefined && <>{numbered} · </>}
        {procuringEntity !== undefined && <PartyLink party={procuringEntity} of="buyers" />}
        {suppliers.map((supplier) => (
          <span key={supplier.identifier.id}>
            {' → '}
            <PartyLink party={supplier} of="suppliers" />
          </span>
        ))}
        {titled !== undefined && contractNumber === undefined ? null : (
          <>
            {' · '}
            <span class="number">
              <Others text={contractID} />
            </span>
          </>
        )}
      </p>
      <p class="small">
        <ContractStatus status={status} />
        <TestTag mode={mode} />
        {moments.length > 0 && <span>{separated(moments)}</span>}
      </p>
    </>
  );
}

const fact = (key: string, word: string, value: VNode): VNode => (
  <span key={key}>
    {word} {value}
  </span>
);
