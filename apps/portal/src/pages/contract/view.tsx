import type { VNode } from 'preact';
import { isSigned, type ContractData, type ContractTender, type SignedContract } from '../../domain/contract.ts';
import { contractDifferences } from '../../domain/contract-differences.ts';
import { Others, Paragraph, textIn, When } from '../../parts/basics.tsx';
import { ContractStatus } from '../../parts/contract-status.tsx';
import { Files } from '../../parts/files.tsx';
import { Guarded } from '../../parts/guarded.tsx';
import { PartyLink } from '../../parts/organizations.tsx';
import { usePage } from '../../parts/page-context.ts';
import { RelatedProvider } from '../../parts/related.tsx';
import { Sectioned, type Section } from '../../parts/sectioned.tsx';
import { TestTag, TitleWithoutMark } from '../../parts/test-mark.tsx';
import { ItemsTable } from '../tender/items.tsx';
import { AmendmentsSection } from './amendments.tsx';
import { DataSection } from './data.tsx';
import { DifferencesTable } from './differences-table.tsx';
import { Facts } from './facts.tsx';
import { PaymentsSection } from './payments.tsx';
import { CONTRACT } from './texts.ts';

interface ContractProps {
  readonly contract: ContractData;
  /** Undefined when it could not be read in time. */
  readonly tender: ContractTender | undefined;
}

type ContractSection = Section<'changed' | 'amendments' | 'payments' | 'items' | 'documents' | 'data'>;

/** The sections of a contract in their order. One that has nothing to say, and never will, is left out. */
function buildSections(contract: ContractData, signed: SignedContract | undefined): readonly ContractSection[] {
  const { changes = [], implementation, items = [], documents = [] } = contract;
  const differences = signed === undefined ? [] : contractDifferences(signed, contract);
  const ofChanges = new Set(changes.map(({ id }) => id));
  const own = documents.filter(({ relatedItem }) => relatedItem === undefined || !ofChanges.has(relatedItem));
  const all: readonly (ContractSection | false)[] = [
    differences.length > 0 && {
      id: 'changed',
      data: differences,
      content: <DifferencesTable differences={differences} />,
    },
    isSigned(contract) && { id: 'amendments', data: changes, content: <AmendmentsSection contract={contract} /> },
    isSigned(contract) && { id: 'payments', data: implementation, content: <PaymentsSection contract={contract} /> },
    { id: 'items', data: items, content: <What contract={contract} /> },
    { id: 'documents', data: own, content: <Documents files={own} /> },
    { id: 'data', data: {}, content: <DataSection contract={contract} /> },
  ];
  return all.filter((section) => section !== false);
}

export function ContractView({ contract, tender }: ContractProps): VNode {
  const { lang } = usePage();
  const signed = tender?.contracts?.find((one) => one.id === contract.id && isSigned(one));
  const sections = buildSections(contract, signed);
  return (
    <RelatedProvider value={{ lots: tender?.lots ?? [], items: contract.items ?? [] }}>
      <Head contract={contract} tender={tender} />
      <Sectioned
        sections={sections}
        texts={CONTRACT[lang]}
        facts={
          <Guarded data={contract.value}>
            <Facts contract={contract} tender={tender} signed={signed} />
          </Guarded>
        }
        now={
          <Guarded data={contract.status}>
            <Now contract={contract} />
          </Guarded>
        }
      />
    </RelatedProvider>
  );
}

function Head({ contract, tender }: ContractProps): VNode {
  const { lang } = usePage();
  const { status, mode, contractNumber, contractID, procuringEntity } = contract;
  return (
    <div class="page-head">
      <h1>
        {textIn(contract, 'title', lang) === undefined ? (
          <Others text={CONTRACT[lang].numbered(contractNumber ?? contractID)} />
        ) : (
          <TitleWithoutMark of={contract} />
        )}
      </h1>
      {tender !== undefined && (
        <p class="lead">
          <TitleWithoutMark of={tender} />
        </p>
      )}
      <p>
        <Guarded data={status}>
          <ContractStatus status={status} />
        </Guarded>
        <TestTag mode={mode} />
        {procuringEntity !== undefined && (
          <Guarded data={procuringEntity}>
            <PartyLink party={procuringEntity} of="buyers" />
          </Guarded>
        )}
      </p>
    </div>
  );
}

/** The states that have a sentence. Another one, of a later release, is shown as it is. */
const SAID: ReadonlySet<string> = new Set(['pending', 'active', 'terminated', 'cancelled']);

/** What the state of the contract means, in a sentence. */
function Now({ contract }: Pick<ContractProps, 'contract'>): VNode {
  const { lang, nowMs } = usePage();
  const t = CONTRACT[lang];
  const { status, date, period, terminationDetails } = contract;
  const end = period?.endDate;
  const isOver = end !== undefined && Date.parse(end) < nowMs;
  return (
    <div class="now" id="now">
      <strong>
        {status === 'pending' && t.now.pending}
        {status === 'active' && end === undefined && t.now.active}
        {status === 'active' && end !== undefined && (
          <>
            {isOver ? t.now.overdue : t.now.activeUntil} <When at={end} as="day" />.
          </>
        )}
        {(status === 'terminated' || status === 'cancelled') && (
          <>
            {t.now[status]} <When at={date} as="day" />.
          </>
        )}
        {!SAID.has(status) && <ContractStatus status={status} />}
      </strong>
      {status === 'cancelled' && <p>{t.cancelledNote}</p>}
      {terminationDetails !== undefined && (
        <p>
          {t.reason}: <Others text={terminationDetails} />
        </p>
      )}
    </div>
  );
}

function What({ contract }: Pick<ContractProps, 'contract'>): VNode {
  return (
    <>
      <div class="prose">
        <Paragraph of={contract} name="description" />
      </div>
      <ItemsTable items={contract.items ?? []} />
    </>
  );
}

function Documents({ files }: { readonly files: NonNullable<ContractData['documents']> }): VNode {
  const { lang } = usePage();
  return files.length === 0 ? <p class="quiet">{CONTRACT[lang].noDocuments}</p> : <Files files={files} />;
}
