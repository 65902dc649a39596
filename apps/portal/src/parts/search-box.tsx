import type { VNode } from 'preact';
import { translations } from '../texts/translations.ts';
import { pathIn, usePage } from './page-context.ts';

const TEXTS = translations({
  uk: { label: 'Пошук тендерів', hint: 'Слово, номер або код ДК 021', find: 'Знайти' },
  en: { label: 'Search of tenders', hint: 'Word, number or CPV code', find: 'Find' },
});

/** The search of tenders by words; a number of a tender leads to its page. */
export function SearchBox(): VNode {
  const { lang } = usePage();
  const t = TEXTS[lang];
  return (
    <form class="search-box" role="search" action={pathIn(lang, '/tenders')} aria-label={t.label}>
      <input name="q" maxLength={256} aria-label={t.label} placeholder={t.hint} />
      <button class="button primary">{t.find}</button>
    </form>
  );
}
