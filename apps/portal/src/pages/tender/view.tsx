import type { Revision, Tender } from '@procurement/client';
import type { VNode } from 'preact';
import { hasAuction, lifeLine } from '../../domain/life-line.ts';
import { Code, Notice, OwnLink, Tag } from '../../parts/basics.tsx';
import { Guarded } from '../../parts/guarded.tsx';
import { LifeLine } from '../../parts/life-line.tsx';
import { PartyLink, place, type Party } from '../../parts/organizations.tsx';
import { usePage } from '../../parts/page-context.ts';
import { RelatedProvider } from '../../parts/related.tsx';
import { Sectioned, type Section } from '../../parts/sectioned.tsx';
import { TestTag, TitleWithoutMark } from '../../parts/test-mark.tsx';
import { FRAME } from '../../texts/frame.ts';
import { toneOf } from '../../texts/words.ts';
import { AwardsSection, CancellationsSection } from './awards.tsx';
import { AuctionSection, BidsSection } from './bids.tsx';
import { DataSection, HistorySection } from './history.tsx';
import { ContractSection } from './contracts.tsx';
import { CriteriaSection } from './criteria.tsx';
import { ItemsSection } from './items.tsx';
import { LotsSection } from './lots.tsx';
import { Facts, Now } from './summary.tsx';
import { TENDER } from './texts.ts';
import { ComplaintsSection, DocumentsSection, QuestionsSection } from './threads.tsx';
import { WhatSection } from './what.tsx';

export interface TenderProps {
  readonly tender: Tender;
  /** The newest states; undefined when they could not be read in time. */
  readonly revisions: readonly Revision[] | undefined;
  /** Address of the newest `dateModified` of this tender; absent for an old state. */
  readonly versionPath?: string;
}

type TextKey =
  | 'what'
  | 'lots'
  | 'items'
  | 'criteria'
  | 'documents'
  | 'questions'
  | 'complaints'
  | 'bids'
  | 'auction'
  | 'awards'
  | 'contract'
  | 'cancellations'
  | 'history'
  | 'data';

type TenderSection = Section<TextKey>;

/** The sections of a tender in their order. One that has nothing to say, and never will, is left out. */
function buildSections({ tender, revisions }: TenderProps): readonly TenderSection[] {
  const { lots = [], features = [], milestones = [], bids, awards, contracts, cancellations = [] } = tender;
  const isDraft = tender.status === 'draft';
  const all: readonly (TenderSection | false)[] = [
    { id: 'what', data: tender.description, content: <WhatSection tender={tender} /> },
    lots.length > 0 && { id: 'lots', data: lots, content: <LotsSection tender={tender} /> },
    { id: 'items', data: tender.items, content: <ItemsSection tender={tender} /> },
    { id: 'criteria', data: { features, milestones }, content: <CriteriaSection tender={tender} /> },
    { id: 'documents', data: tender.documents, content: <DocumentsSection tender={tender} /> },
    !isDraft && { id: 'questions', data: tender.questions, content: <QuestionsSection tender={tender} /> },
    !isDraft && { id: 'complaints', data: tender.complaints, content: <ComplaintsSection tender={tender} /> },
    !isDraft && { id: 'bids', data: bids, content: <BidsSection tender={tender} /> },
    !isDraft &&
      hasAuction(tender) && { id: 'auction', data: tender.auctionPeriod, content: <AuctionSection tender={tender} /> },
    awards !== undefined && { id: 'awards', data: awards, content: <AwardsSection tender={tender} /> },
    contracts !== undefined && { id: 'contract', data: contracts, content: <ContractSection tender={tender} /> },
    cancellations.length > 0 && {
      id: 'cancellations',
      data: cancellations,
      content: <CancellationsSection tender={tender} />,
    },
    !isDraft && { id: 'history', data: revisions, content: <HistorySection tender={tender} revisions={revisions} /> },
    { id: 'data', data: {}, content: <DataSection tender={tender} /> },
  ];
  return all.filter((section) => section !== false);
}

export function TenderView(props: TenderProps): VNode {
  const { tender, versionPath } = props;
  const { lang } = usePage();
  const sections = buildSections(props);
  return (
    <RelatedProvider value={tender}>
      <Head tender={tender} />
      {versionPath !== undefined && <Changed tender={tender} versionPath={versionPath} />}
      <Sectioned
        sections={sections}
        texts={TENDER[lang]}
        facts={
          <Guarded data={tender.value}>
            <Facts tender={tender} />
          </Guarded>
        }
        now={
          <Guarded data={tender.status}>
            <Now tender={tender} />
            <div id="life">
              <Life tender={tender} />
            </div>
          </Guarded>
        }
      />
    </RelatedProvider>
  );
}

function Head({ tender }: { readonly tender: Tender }): VNode {
  const { status, mode, procuringEntity } = tender;
  return (
    <div class="page-head">
      <h1>
        <TitleWithoutMark of={tender} otherwise={tender.tenderID} />
      </h1>
      <p>
        <Guarded data={status}>
          <Tag tone={toneOf(status)}>
            <Code list="tenderStatus" code={status} />
          </Tag>
        </Guarded>
        <TestTag mode={mode} />
        {procuringEntity !== undefined && (
          <Guarded data={procuringEntity}>
            <Buyer buyer={procuringEntity} />
          </Guarded>
        )}
      </p>
    </div>
  );
}

function Buyer({ buyer }: { readonly buyer: Party }): VNode {
  const { lang } = usePage();
  return (
    <>
      <PartyLink party={buyer} of="buyers" />
      <span class="quiet">{place(buyer.address, lang)}</span>
    </>
  );
}

function Life({ tender }: Pick<TenderProps, 'tender'>): VNode {
  const { lang, nowMs } = usePage();
  return (
    <>
      <LifeLine steps={lifeLine(tender, new Date(nowMs).toISOString())} />
      {!hasAuction(tender) && <p class="quiet small">{TENDER[lang].withoutAuction}</p>}
    </>
  );
}

/** Says that there is a newer state, once, when the script finds one. */
function Changed({ tender, versionPath }: { readonly tender: Tender; readonly versionPath: string }): VNode {
  const { lang, path } = usePage();
  const deadline = tender.next_check ?? '';
  return (
    <div role="status" data-version={versionPath} data-shown={tender.dateModified} data-deadline={deadline}>
      <div hidden>
        <Notice tone="info">
          <p>
            {FRAME[lang].changed} <OwnLink to={path}>{FRAME[lang].showChanged}</OwnLink>
          </p>
        </Notice>
      </div>
    </div>
  );
}
