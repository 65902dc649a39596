import type { Tender } from '@procurement/client';
import type { VNode } from 'preact';
import { formatNumber } from '../../format/money.ts';
import { visibleText } from '../../format/visible-text.ts';
import { Amount, textIn, When, Written, Others } from '../../parts/basics.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { fullAddress } from '../../parts/organizations.tsx';
import { usePage } from '../../parts/page-context.ts';
import { Related } from '../../parts/related.tsx';
import { Vat } from '../../parts/vat.tsx';
import { TENDER } from './texts.ts';

interface OfTender {
  readonly tender: Tender;
}
type Item = NonNullable<Tender['items']>[number];

export function ItemsSection({ tender: { items = [] } }: OfTender): VNode {
  const { lang } = usePage();
  return items.length > 0 ? <ItemsTable items={items} /> : <p class="quiet">{TENDER[lang].noItems}</p>;
}

export function ItemsTable({ items }: { readonly items: readonly Item[] }): VNode {
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
              <ItemRow key={item.id} item={item} hasPrices={hasPrices} />
            ))}
          </tbody>
        </table>
      )}
    />
  );
}

interface ItemRowProps {
  readonly item: Item;
  readonly hasPrices: boolean;
}

function ItemRow({ item, hasPrices }: ItemRowProps): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const { classification, additionalClassifications = [], quantity, unit, relatedLot } = item;
  const unitName = unit === undefined ? undefined : (textIn(unit, 'name', lang)?.text ?? unit.code);
  return (
    <tr>
      <td data-name={t.item}>
        <Written of={item} name="description" /> <Related to={relatedLot} />
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
          {unit?.value !== undefined && (
            <>
              <Amount value={unit.value} />{' '}
              <span class="quiet small">
                <Vat value={unit.value} />
              </span>
            </>
          )}
        </td>
      )}
      <td data-name={t.delivery}>
        <Delivery item={item} />
      </td>
    </tr>
  );
}

/** Where to, and when. */
export function Delivery({
  item: { deliveryAddress, deliveryDate, deliveryLocation },
}: {
  readonly item: Item;
}): VNode {
  const { lang } = usePage();
  const t = TENDER[lang];
  const where = fullAddress(deliveryAddress, lang);
  const { latitude, longitude, elevation } = deliveryLocation ?? {};
  const point = [latitude, longitude, elevation].filter((part) => typeof part === 'string' || typeof part === 'number');
  return (
    <>
      {where !== '' && <Others text={where} lang={lang === 'en' ? 'uk' : undefined} />}
      {point.length > 0 && <span class="quiet small number"> {visibleText(point.join(', '))}</span>}
      {deliveryDate?.startDate !== undefined && (
        <div>
          {t.from} <When at={deliveryDate.startDate} as="day" />
        </div>
      )}
      {deliveryDate?.endDate !== undefined && (
        <div>
          {t.until} <When at={deliveryDate.endDate} as="day" />
        </div>
      )}
    </>
  );
}
