import type { Revision, Tender } from '@procurement/client';
import type { VNode } from 'preact';
import { API } from '../../api/reads.ts';
import { unknownMembers } from '../../domain/shown-members.table.ts';
import { Code, OwnLink, When } from '../../parts/basics.tsx';
import { OpenData } from '../../parts/open-data.tsx';
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
  const { id, tenderID, owner, dateCreated, dateModified } = tender;
  return (
    <OpenData
      addresses={[
        ['JSON', `${site.apiUrl}${API}/tenders/${id}`],
        ['OCDS', `${site.apiUrl}/api/ocds/records/${id}`],
      ]}
      values={[
        ['id', id],
        ['tenderID', tenderID],
        [t.platform, owner],
        [t.created, dateCreated],
        [t.modified, dateModified],
      ]}
      unknown={unknownMembers(tender)}
    />
  );
}
