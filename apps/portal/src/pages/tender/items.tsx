import type { Tender } from '@procurement/client';
import type { ComponentChildren, VNode } from 'preact';
import { formatNumber } from '../../format/money.ts';
import { valueOf } from '../../format/value-of.ts';
import { visibleText } from '../../format/visible-text.ts';
import { Amount, textIn, When, Written, Others } from '../../parts/basics.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { place } from '../../parts/organizations.tsx';
import { usePage } from '../../parts/page-context.ts';
import { divisionOf } from '../../texts/words.ts';
import { MILESTONES } from './milestone-texts.ts';
import { TENDER } from './texts.ts';

interface OfTender {
  readonly tender: Tender;
}
type Item = Tender['items'][number];
type Lot = NonNullable<Tender['lots']>[number];

export function WhatSection({ tender }: OfTender): VNode {
  const { lang } = usePage();
  const { items, guarantee } = tender;
  const divisions = [...new Set(items.map(({ classification }) => classification.id.slice(0, 2)))];
  const names = divisions.flatMap((digits) => divisionOf(digits, lang) ?? []);
  return (
    <div class="prose">
      {textIn(tender, 'description', lang) !== undefined && (
        <p>
          <Written of={tender} name="description" />
        </p>
      )}
      {names.length > 0 && <p class="quiet">{names.join(' · ')}</p>}
      {guarantee !== undefined && (
        <p>
          {TENDER[lang].guarantee}: <Amount value={guarantee} />
        </p>
      )}
    </div>
  );
}

export function ItemsSection({ tender: { items, lots = [] } }: OfTender): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const hasPrices = items.some(({ unit }) => unit?.value !== undefined);
  return (
    <LongList
      entries={items}
      show={(part) => (
        <table class="data-table rows">
          <thead>
            <tr>
              <th scope="col">{t.item}</th>
              <th scope="col">{t.code}</th>
              <th scope="col" class="number">
                {t.quantity}
              </th>
              {hasPrices && (
                <th scope="col" class="number">
                  {t.unitPrice}
                </th>
              )}
              <th scope="col">{t.delivery}</th>
            </tr>
          </thead>
          <tbody>
            {part.map((item) => (
              <ItemRow key={item.id} item={item} lots={lots} hasPrices={hasPrices} />
            ))}
          </tbody>
        </table>
      )}
    />
  );
}

interface ItemRowProps {
  readonly item: Item;
  readonly lots: readonly Lot[];
  readonly hasPrices: boolean;
}

function ItemRow({ item, lots, hasPrices }: ItemRowProps): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const { classification, additionalClassifications = [], quantity, unit, relatedLot } = item;
  const lot = lots.find(({ id }) => id === relatedLot);
  const unitName = unit === undefined ? undefined : (textIn(unit, 'name', lang)?.text ?? unit.code);
  return (
    <tr>
      <td data-name={t.item}>
        <Written of={item} name="description" />
        {lot !== undefined && (
          <span class="quiet small">
            {' '}
            {t.lots}: <Written of={lot} name="title" />
          </span>
        )}
      </td>
      <td data-name={t.code}>
        <span class="number">{visibleText(classification.id)}</span> <Written of={classification} name="description" />
        {additionalClassifications.map(({ scheme, id, ...rest }) => (
          <p key={`${scheme}${id}`} class="quiet small">
            <Others text={`${scheme} ${id}`} /> <Written of={rest} name="description" />
          </p>
        ))}
      </td>
      <td data-name={t.quantity} class="number">
        {quantity !== undefined && formatNumber(quantity, lang)} {unitName !== undefined && <Others text={unitName} />}
      </td>
      {hasPrices && (
        <td data-name={t.unitPrice} class="number">
          {unit?.value !== undefined && <Amount value={unit.value} />}
        </td>
      )}
      <td data-name={t.delivery}>
        <Delivery item={item} />
      </td>
    </tr>
  );
}

function Delivery({ item: { deliveryAddress, deliveryDate, deliveryLocation } }: { readonly item: Item }): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const where = [deliveryAddress?.streetAddress ?? '', place(deliveryAddress, lang)].filter((part) => part !== '');
  const { latitude, longitude } = deliveryLocation ?? {};
  return (
    <>
      {where.length > 0 && <Others text={where.join(', ')} />}
      {deliveryDate?.startDate !== undefined && (
        <>
          {' '}
          {t.from} <When at={deliveryDate.startDate} as="day" />
        </>
      )}
      {deliveryDate?.endDate !== undefined && (
        <>
          {' '}
          {t.until} <When at={deliveryDate.endDate} as="day" />
        </>
      )}
      {typeof latitude === 'number' && typeof longitude === 'number' && (
        <span class="quiet small number">{` ${latitude}, ${longitude}`}</span>
      )}
    </>
  );
}

const PERCENT = 100;

/** What counts besides the price, and the terms of payment. */
export function CriteriaSection({ tender: { features = [], milestones = [] } }: OfTender): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const percent = (share: number): string => `${formatNumber(Math.round(share * PERCENT * PERCENT) / PERCENT, lang)} %`;
  return (
    <>
      {features.length > 0 && <p class="prose quiet">{t.criteriaLead}</p>}
      {features.map((feature) => (
        <div key={feature.code} class="card">
          <h3>
            <Written of={feature} name="title" /> <span class="quiet number">{percent(weightOf(feature.enum))}</span>
          </h3>
          {textIn(feature, 'description', lang) !== undefined && (
            <p>
              <Written of={feature} name="description" />
            </p>
          )}
          <ul class="prose small">
            {feature.enum.map((choice) => (
              <li key={choice.value}>
                <Written of={choice} name="title" />: <span class="number">{percent(choice.value)}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {milestones.length > 0 && <Milestones milestones={milestones} />}
    </>
  );
}

const weightOf = (choices: readonly { readonly value: number }[]): number =>
  Math.max(0, ...choices.map(({ value }) => value));

function Milestones({ milestones }: { readonly milestones: NonNullable<Tender['milestones']> }): VNode {
  const { lang } = usePage();
  const t = MILESTONES[lang];
  const word = (words: Readonly<Record<string, string>>, code: string): ComponentChildren =>
    valueOf(words, code) ?? <code>{visibleText(code)}</code>;
  const inOrder = milestones.toSorted((one, other) => one.sequenceNumber - other.sequenceNumber);
  return (
    <>
      <h3>{TENDER[lang].milestones}</h3>
      <ul class="prose">
        {inOrder.map(({ id, title, type, code, percentage, duration, description }) => (
          <li key={id}>
            {word(t.types, type)}, {word(t.codes, code)}: {formatNumber(percentage, lang)} %,{' '}
            {t.within(duration.days, duration.type)} {word(t.titles, title)}
            {description !== undefined && (
              <>
                . <Others text={description} />
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
