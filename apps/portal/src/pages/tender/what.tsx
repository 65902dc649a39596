import type { Tender } from '@procurement/client';
import type { VNode } from 'preact';
import { Amount, Code, Paragraph, textIn, Written } from '../../parts/basics.tsx';
import { usePage } from '../../parts/page-context.ts';
import { divisionName } from '../../texts/words.ts';
import { TENDER } from './texts.ts';

/** Says what is bought, and in which way. */
export function WhatSection({ tender }: { readonly tender: Tender }): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const { items = [], guarantee, mainProcurementCategory, procurementMethod, submissionMethod } = tender;
  const divisions = [...new Set(items.map(({ classification }) => classification.id.slice(0, 2)))];
  const names = divisions.flatMap((digits) => divisionName(digits, lang) ?? []);
  const rows = [
    { name: t.category, list: 'category', code: mainProcurementCategory, note: '' },
    { name: t.method, list: 'procurementMethod', code: procurementMethod, note: 'procurementMethodRationale' },
    { name: t.submission, list: 'submissionMethod', code: submissionMethod, note: 'submissionMethodDetails' },
  ] as const;
  return (
    <>
      <div class="prose">
        <Paragraph of={tender} name="description" />
        {names.length > 0 && <p class="quiet">{names.join(' · ')}</p>}
      </div>
      <dl class="facts">
        {rows.map(
          ({ name, list, code, note }) =>
            code !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Code list={list} code={code} />
                </dd>
                {note !== '' && textIn(tender, note, lang) !== undefined && (
                  <dd class="quiet small">
                    <Written of={tender} name={note} />
                  </dd>
                )}
              </div>
            ),
        )}
        {guarantee !== undefined && (
          <div>
            <dt>{t.guarantee}</dt>
            <dd>
              <Amount value={guarantee} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}
