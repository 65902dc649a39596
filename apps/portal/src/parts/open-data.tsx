import type { VNode } from 'preact';
import { visibleText } from '../format/visible-text.ts';
import { translations } from '../texts/translations.ts';
import { FactsRow } from './facts-row.tsx';
import { usePage } from './page-context.ts';

const TEXTS = translations({
  uk: {
    lead: 'Цю сторінку зроблено з відкритих даних. Їх може прочитати кожна програма:',
    unknown: 'Тут не показано',
  },
  en: { lead: 'This page is made of open data. Any program can read them:', unknown: 'Not shown here' },
});

type Pair = readonly [name: string, value: string];

interface OpenDataProps {
  readonly addresses: readonly Pair[];
  readonly values: readonly Pair[];
  /** Members that this program does not know. */
  readonly unknown: readonly string[];
}

/** Where programs read what a page shows. */
export function OpenData({ addresses, values, unknown }: OpenDataProps): VNode {
  const { lang } = usePage();
  const t = TEXTS[lang];
  return (
    <>
      <p>{t.lead}</p>
      <dl class="facts stacked">
        {addresses.map(([name, address]) => (
          <FactsRow key={name} name={name}>
            <a href={address}>{address}</a>
          </FactsRow>
        ))}
        {values.map(([name, value]) => (
          <FactsRow key={name} name={name}>
            <code>{visibleText(value)}</code>
          </FactsRow>
        ))}
        {unknown.length > 0 && (
          <FactsRow name={t.unknown}>
            <code>{visibleText(unknown.join(', '))}</code>
          </FactsRow>
        )}
      </dl>
    </>
  );
}
