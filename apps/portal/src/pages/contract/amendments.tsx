import type { VNode } from 'preact';
import type { ContractChange, ContractData } from '../../domain/contract.ts';
import { Code, Others, Paragraph, Tag, When } from '../../parts/basics.tsx';
import { Files } from '../../parts/files.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { usePage } from '../../parts/page-context.ts';
import { CONTRACT } from './texts.ts';

/** The changes of a contract in their order, each with its reasons and papers. */
export function AmendmentsSection({
  contract: { changes = [], documents = [] },
}: {
  readonly contract: ContractData;
}): VNode {
  const { lang } = usePage();
  if (changes.length === 0) return <p class="quiet">{CONTRACT[lang].noAmendments}</p>;
  return (
    <LongList
      entries={changes}
      show={(part) =>
        part.map((change) => (
          <Amendment
            key={change.id}
            change={change}
            files={documents.filter(({ relatedItem }) => relatedItem === change.id)}
          />
        ))
      }
    />
  );
}

interface AmendmentProps {
  readonly change: ContractChange;
  readonly files: NonNullable<ContractData['documents']>;
}

function Amendment({ change, files }: AmendmentProps): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  const { status, date, dateSigned, contractNumber, rationaleTypes } = change;
  const isActive = status === 'active';
  return (
    <article class="thread">
      <h3>{contractNumber === undefined ? t.amendment : <Others text={t.amendmentNumbered(contractNumber)} />}</h3>
      <p>
        <Tag tone={isActive ? 'good' : 'info'}>
          <Code list="contractChangeStatus" code={status} />
        </Tag>{' '}
        <span class="quiet small">
          {dateSigned !== undefined && (
            <>
              {t.signed} <When at={dateSigned} as="day" /> ·{' '}
            </>
          )}
          {isActive ? t.published : t.prepared} <When at={date} />
        </span>
      </p>
      <p>
        {rationaleTypes.map((code, n) => (
          <span key={code}>
            {n > 0 && ' · '}
            <Code list="rationaleType" code={code} />
          </span>
        ))}
      </p>
      <Paragraph of={change} name="rationale" />
      {files.length > 0 && <Files files={files} />}
    </article>
  );
}
