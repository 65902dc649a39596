import type { Revision, Tender } from '@procurement/client';
import type { VNode } from 'preact';
import { API } from '../../api/reads.ts';
import { unknownMembers } from '../../domain/shown-members.table.ts';
import { visibleText } from '../../format/visible-text.ts';
import { Code, OwnLink, When } from '../../parts/basics.tsx';
import { usePage } from '../../parts/page-context.ts';
import { FRAME } from '../../texts/frame.ts';
import { TENDER } from './texts.ts';

interface HistoryProps {
  readonly tender: Tender;
  readonly revisions: readonly Revision[] | undefined;
}

/** The newest states with what made them. */
export function HistorySection({ tender: { tenderID }, revisions }: HistoryProps): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  if (revisions === undefined)
    return (
      <p class="quiet">
        {FRAME[lang].partMissing} <OwnLink to={`/tenders/${tenderID}/history`}>{FRAME[lang].loadPart}</OwnLink>
      </p>
    );
  return (
    <>
      <ol class="result-list">
        {revisions.map(({ rev, dateModified, causes }) => (
          <li key={rev} class="file-row">
            <span class="quiet">
              <When at={dateModified} />
            </span>
            <span class="grow">
              {causes.map((cause, n) => (
                <span key={cause}>
                  {n > 0 && ', '}
                  <Code list="cause" code={cause} />
                </span>
              ))}
            </span>
            {rev > 1 && <OwnLink to={`/tenders/${tenderID}/history/${rev - 1}..${rev}`}>{t.whatChanged}</OwnLink>}
          </li>
        ))}
      </ol>
      <p class="pager">
        <OwnLink to={`/tenders/${tenderID}/history`}>{t.allStates}</OwnLink>
      </p>
    </>
  );
}

/** Where the same can be read by programs. */
export function DataSection({ tender }: { readonly tender: Tender }): VNode {
  const { lang, site } = usePage();
  const t = TENDER[lang];
  const { id, tenderID, owner, dateModified } = tender;
  const unknown = unknownMembers(tender);
  const addresses = [
    ['JSON', `${site.apiUrl}${API}/tenders/${id}`],
    ['OCDS', `${site.apiUrl}/api/ocds/records/${id}`],
  ] as const;
  const values = [
    ['id', id],
    ['tenderID', tenderID],
    [t.platform, owner],
    [t.modified, dateModified],
  ] as const;
  return (
    <>
      <p>{t.dataLead}</p>
      <dl class="facts stacked">
        {addresses.map(([name, address]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <a href={address}>{address}</a>
            </dd>
          </div>
        ))}
        {values.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{visibleText(value)}</code>
            </dd>
          </div>
        ))}
        {unknown.length > 0 && (
          <div>
            <dt>{t.unknown}</dt>
            <dd>
              <code>{visibleText(unknown.join(', '))}</code>
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}
