import type { Tender } from '@procurement/client';
import type { VNode } from 'preact';
import { findValue } from '../../format/find-value.ts';
import { Code, Others, Tag, When, Written } from '../../parts/basics.tsx';
import { Files } from '../../parts/files.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { usePage } from '../../parts/page-context.ts';
import { Related } from '../../parts/related.tsx';
import { complaintsOf } from '../../domain/now.ts';
import { Suppliers } from './awards.tsx';
import { TENDER } from './texts.ts';

interface OfTender {
  readonly tender: Tender;
}

export function DocumentsSection({ tender: { documents = [] } }: OfTender): VNode {
  const { lang } = usePage();
  return documents.length === 0 ? <p class="quiet">{TENDER[lang].noDocuments}</p> : <Files files={documents} />;
}

export function QuestionsSection({ tender: { questions = [], status } }: OfTender): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  if (questions.length === 0)
    return <p class="quiet">{status === 'active.enquiries' ? t.noQuestions : t.noQuestionsNow}</p>;
  return (
    <LongList
      entries={questions}
      show={(part) =>
        part.map(({ id, title, description, date, author, answer, dateAnswered, relatedItem }) => (
          <article key={id} class="thread">
            <h3>
              <Others text={title} />
            </h3>
            <Related to={relatedItem} />
            <Entry description={description} author={author} date={date} />
            {answer === undefined ? (
              <p>
                <Tag tone="warn">{t.noAnswer}</Tag>
              </p>
            ) : (
              <Reply name={t.answer} text={answer} date={dateAnswered} />
            )}
          </article>
        ))
      }
    />
  );
}

interface EntryProps {
  readonly description: string | undefined;
  readonly author: { readonly name: string } | undefined;
  readonly date: string;
}

/** What somebody wrote, who, and when. */
function Entry({ description, author, date }: EntryProps): VNode {
  return (
    <>
      {description !== undefined && (
        <p>
          <Others text={description} />
        </p>
      )}
      <p class="quiet small">
        {author?.name !== undefined && (
          <>
            <Written of={author} name="name" /> ·{' '}
          </>
        )}
        <When at={date} />
      </p>
    </>
  );
}

interface ReplyProps {
  readonly name: string;
  readonly text: string;
  readonly date: string | undefined;
  /** What a decision came to, as a status of complaints. */
  readonly outcome?: string | undefined;
}

function Reply({ name, text, date, outcome }: ReplyProps): VNode {
  return (
    <div class="answer">
      <p class="quiet small">
        {name}
        {outcome !== undefined && (
          <>
            : <Code list="complaintStatus" code={outcome} />
          </>
        )}
        {date !== undefined && (
          <>
            {' · '}
            <When at={date} />
          </>
        )}
      </p>
      <p>
        <Others text={text} />
      </p>
    </div>
  );
}

const COMPLAINT_TONES: Readonly<Record<string, 'warn' | 'good' | 'neutral'>> = {
  claim: 'warn',
  answered: 'warn',
  pending: 'warn',
  resolved: 'good',
};

/** Claims and complaints about the tender and about its awards. */
export function ComplaintsSection({ tender }: OfTender): VNode {
  const { lang } = usePage();
  const complaints = complaintsOf(tender);
  if (complaints.length === 0) return <p class="quiet">{TENDER[lang].noComplaints}</p>;
  return (
    <LongList
      entries={complaints}
      show={(part) =>
        part.map((complaint) => (
          <Complaint
            key={complaint.id}
            complaint={complaint}
            award={tender.awards?.find((award) => award.complaints?.includes(complaint))}
          />
        ))
      }
    />
  );
}

type AnyComplaint = ReturnType<typeof complaintsOf>[number];

interface ComplaintProps {
  readonly complaint: AnyComplaint;
  /** The decision that it is about; undefined: the terms of the tender. */
  readonly award: NonNullable<Tender['awards']>[number] | undefined;
}

function Complaint({ complaint, award }: ComplaintProps): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const { type, status, title, description, author, date, dateSubmitted, complaintID, documents = [] } = complaint;
  const { relatedLot, resolution, resolutionType, dateAnswered, satisfied, dateEscalated, decision, dateDecision } =
    complaint;
  const { cancellationReason, dateCanceled, tendererAction } = complaint;
  return (
    <article class="thread">
      <h3>
        <Others text={title} />
      </h3>
      <p>
        <Tag tone={findValue(COMPLAINT_TONES, status) ?? 'neutral'}>
          <Code list="complaintType" code={type} />: <Code list="complaintStatus" code={status} />
        </Tag>{' '}
        <span class="quiet small number">{complaintID}</span> <Related to={relatedLot} />
      </p>
      {award?.suppliers !== undefined && (
        <p class="small">
          {t.aboutAward} <Suppliers suppliers={award.suppliers} />
        </p>
      )}
      <Entry description={description} author={author} date={dateSubmitted ?? date} />
      {resolution !== undefined && (
        <Reply name={t.resolution} text={resolution} date={dateAnswered} outcome={resolutionType} />
      )}
      {satisfied !== undefined && <p class="small">{satisfied ? t.satisfied : t.notSatisfied}</p>}
      {dateEscalated !== undefined && (
        <p class="small">
          {t.escalated} <When at={dateEscalated} />
        </p>
      )}
      {decision !== undefined && <Reply name={t.decision} text={decision} date={dateDecision} />}
      {tendererAction !== undefined && (
        <Reply name={t.action} text={tendererAction} date={complaint.tendererActionDate} />
      )}
      {cancellationReason !== undefined && <Reply name={t.withdrawn} text={cancellationReason} date={dateCanceled} />}
      {documents.length > 0 && <Files files={documents} />}
    </article>
  );
}
