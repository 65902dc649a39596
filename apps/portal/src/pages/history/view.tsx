import type { Revision, Tender } from '@procurement/client';
import type { VNode } from 'preact';
import type { Differences } from '../../domain/difference-rows.ts';
import { formatInstant } from '../../format/instant.ts';
import { Code, Notice, OwnLink, Tag, When } from '../../parts/basics.tsx';
import { pathIn, usePage } from '../../parts/page-context.ts';
import { toneOf } from '../../texts/words.ts';
import { TenderView } from '../tender/view.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { HISTORY } from './texts.ts';

interface HistoryProps {
  readonly number: string;
  readonly revisions: readonly Revision[];
  readonly isComplete: boolean;
  /** Where the next page begins; undefined for the last one. */
  readonly cursor: string | undefined;
}

export function HistoryView({ number, revisions, isComplete, cursor }: HistoryProps): VNode {
  const { lang } = usePage();
  const t = HISTORY[lang];
  return (
    <>
      <div class="page-head">
        <h1>{t.title}</h1>
        <p class="lead">{t.lead}</p>
      </div>
      {revisions.length === 0 && <p class="empty-state">{t.none}</p>}
      {revisions.length > 1 && <CompareForm number={number} revisions={revisions} />}
      <ol class="result-list">
        {revisions.map((revision) => (
          <HistoryRow key={revision.rev} number={number} revision={revision} />
        ))}
      </ol>
      <p class="pager">
        {cursor !== undefined && (
          <OwnLink to={`/tenders/${number}/history?cursor=${encodeURIComponent(cursor)}`}>{t.older}</OwnLink>
        )}
        {cursor === undefined && !isComplete && t.incomplete}
      </p>
    </>
  );
}

function HistoryRow({ number, revision }: { readonly number: string; readonly revision: Revision }): VNode {
  const { lang } = usePage();
  const t = HISTORY[lang];
  const { rev, dateModified, status, causes, folded, redacted } = revision;
  const path = `/tenders/${number}/history`;
  return (
    <li class="result-row">
      <h2>
        {causes.map((cause, n) => (
          <span key={cause}>
            {n > 0 && ' · '}
            <Code list="cause" code={cause} />
          </span>
        ))}
      </h2>
      <span class="small">
        {rev > 1 && folded === undefined && <OwnLink to={`${path}/${rev - 1}..${rev}`}>{t.whatChanged}</OwnLink>}
      </span>
      <p class="small quiet">
        <When at={dateModified} />
        <Tag tone={toneOf(status)}>
          <Code list="tenderStatus" code={status} />
        </Tag>
        <OwnLink to={`${path}/${rev}`}>{t.showState(rev)}</OwnLink>
      </p>
      {folded !== undefined && <p class="small">{t.folded}</p>}
      {redacted !== undefined && <p class="small">{t.redacted}</p>}
    </li>
  );
}

/** Chooses any two of the states; the address of the answer names them. */
function CompareForm({ number, revisions }: Pick<HistoryProps, 'number' | 'revisions'>): VNode {
  const { lang } = usePage();
  const t = HISTORY[lang];
  const fields = [
    ['from', t.from, revisions.at(-1)?.rev],
    ['to', t.to, revisions[0]?.rev],
  ] as const;
  return (
    <form class="compare card" action={pathIn(lang, `/tenders/${number}/history`)} aria-label={t.compare}>
      {fields.map(([name, label, selected]) => (
        <div key={name} class="field">
          <label for={name}>{label}</label>
          <select id={name} name={name}>
            {revisions.map(({ rev, dateModified }) => (
              <option key={rev} value={rev} selected={rev === selected}>
                {rev} · {formatInstant(dateModified, lang)}
              </option>
            ))}
          </select>
        </div>
      ))}
      <button class="button">{t.show}</button>
    </form>
  );
}

interface OldStateProps {
  readonly number: string;
  readonly tender: Tender;
  readonly revision: Revision;
}

/** The tender as it was, below a notice that says so. */
export function OldStateView({ number, tender, revision }: OldStateProps): VNode {
  const { lang } = usePage();
  const t = HISTORY[lang];
  const { rev, dateModified, redacted } = revision;
  const path = `/tenders/${number}`;
  return (
    <>
      <Notice tone="warn">
        <p>
          {t.oldState(rev)} <When at={dateModified} />.
        </p>
        {redacted !== undefined && <p>{t.redacted}</p>}
        <p>
          <OwnLink to={path}>{t.current}</OwnLink> · <OwnLink to={`${path}/history`}>{t.history}</OwnLink>
          {rev > 1 && (
            <>
              {' · '}
              <OwnLink to={`${path}/history/${rev - 1}..${rev}`}>{t.whatChanged}</OwnLink>
            </>
          )}
        </p>
      </Notice>
      <TenderView tender={tender} revisions={[revision]} />
    </>
  );
}

interface DifferenceProps {
  readonly number: string;
  readonly from: number;
  readonly to: number;
  readonly differences: Differences;
}

export function DifferenceView({ number, from, to, differences: { rows, folded } }: DifferenceProps): VNode {
  const { lang } = usePage();
  const t = HISTORY[lang];
  const path = `/tenders/${number}/history`;
  return (
    <>
      <div class="page-head">
        <h1>{t.difference(from, to)}</h1>
        <p>
          <OwnLink to={`${path}/${from}`}>{t.showState(from)}</OwnLink>
          <OwnLink to={`${path}/${to}`}>{t.showState(to)}</OwnLink>
        </p>
      </div>
      {rows.length > 0 && <DifferenceTable rows={rows} />}
      {rows.length === 0 && <p class="empty-state">{folded.length > 0 ? t.nothing : t.same}</p>}
      {folded.length > 0 && (
        <details class="folded">
          <summary>{t.service}</summary>
          <DifferenceTable rows={folded} />
        </details>
      )}
      {to === from + 1 && (
        <p class="pager">
          {from > 1 && <OwnLink to={`${path}/${from - 1}..${from}`}>{t.before}</OwnLink>}
          <OwnLink to={path}>{t.history}</OwnLink>
        </p>
      )}
    </>
  );
}
