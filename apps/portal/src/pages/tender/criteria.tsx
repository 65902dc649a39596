import type { Tender } from '@procurement/client';
import type { ComponentChildren, VNode } from 'preact';
import { formatNumber, formatPercent } from '../../format/money.ts';
import { findValue } from '../../format/find-value.ts';
import { visibleText } from '../../format/visible-text.ts';
import { Code, Others, Paragraph, textIn, Written } from '../../parts/basics.tsx';
import { usePage } from '../../parts/page-context.ts';
import { Related } from '../../parts/related.tsx';
import { MILESTONES } from './milestone-texts.ts';
import { TENDER } from './texts.ts';

interface OfTender {
  readonly tender: Tender;
}

/** Shows how bids are compared, and the terms of payment. */
export function CriteriaSection({ tender }: OfTender): VNode {
  const { awardCriteria, features = [], milestones = [] } = tender;
  const { lang } = usePage();
  const t = TENDER[lang];
  return (
    <>
      {awardCriteria !== undefined && (
        <p>
          <Code list="awardCriteria" code={awardCriteria} />
        </p>
      )}
      <Paragraph of={tender} name="awardCriteriaDetails" />
      {textIn(tender, 'eligibilityCriteria', lang) !== undefined && (
        <p>
          {t.eligibility}: <Written of={tender} name="eligibilityCriteria" />
        </p>
      )}
      {features.length > 0 && <p class="prose quiet">{t.criteriaLead}</p>}
      {features.map((feature) => (
        <div key={feature.code} class="card">
          <h3>
            <Written of={feature} name="title" />{' '}
            <span class="quiet number">{formatPercent(largestValue(feature.enum), lang)}</span>
          </h3>
          <Related to={feature.relatedItem} />
          <Paragraph of={feature} name="description" />
          <ul class="prose small">
            {feature.enum.map((choice) => (
              <li key={choice.value}>
                <Written of={choice} name="title" />: <span class="number">{formatPercent(choice.value, lang)}</span>
                <Paragraph of={choice} name="description" />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {milestones.length > 0 && <Milestones milestones={milestones} />}
    </>
  );
}

const largestValue = (choices: readonly { readonly value: number }[]): number =>
  Math.max(0, ...choices.map(({ value }) => value));

function Milestones({ milestones }: { readonly milestones: NonNullable<Tender['milestones']> }): VNode {
  const { lang } = usePage();
  const t = MILESTONES[lang];
  const word = (words: Readonly<Record<string, string>>, code: string): ComponentChildren =>
    findValue(words, code) ?? <code>{visibleText(code)}</code>;
  const inOrder = milestones.toSorted((one, other) => one.sequenceNumber - other.sequenceNumber);
  return (
    <>
      <h3>{TENDER[lang].milestones}</h3>
      <ul class="prose">
        {inOrder.map(({ id, title, type, code, percentage, duration, description, relatedLot }) => (
          <li key={id}>
            {word(t.types, type)}, {word(t.codes, code)}: {formatNumber(percentage, lang)} %,{' '}
            {t.within(duration.days, duration.type)} {word(t.titles, title)}
            {description !== undefined && (
              <>
                . <Others text={description} />
              </>
            )}{' '}
            <Related to={relatedLot} />
          </li>
        ))}
      </ul>
    </>
  );
}
