import type { Language } from '@procurement/page-style/time-left';
import type { VNode } from 'preact';
import type { Organization, Party } from '../domain/party.ts';
import { visibleText } from '../format/visible-text.ts';
import { FRAME } from '../texts/frame.ts';
import { translations } from '../texts/translations.ts';
import { Others, Written } from './basics.tsx';
import type { PageHead } from './document.tsx';
import { usePage } from './page-context.ts';

const TEXTS = translations({
  uk: {
    edr: 'ЄДРПОУ',
    known: 'Тут усе, де вказано цей код. Назви не порівнюються: інший код має іншу сторінку.',
  },
  en: {
    edr: 'EDRPOU',
    known: 'This is everything with this number. Names are not compared: another number has another page.',
  },
});

/** What the page of a buyer or a supplier says about itself. */
export function partyPageHead(party: Party, found: Organization | undefined, lang: Language): PageHead {
  const name = visibleText(found?.name ?? party.key);
  return {
    title: name,
    section: 'tenders',
    breadcrumbs: [
      { text: FRAME[lang].tenders, path: '/tenders' },
      { text: <span lang={lang === 'en' ? 'uk' : undefined}>{name}</span> },
    ],
    // Ten digits identify a person.
    noIndex: party.isPerson,
  };
}

/** Name, number and place of a buyer or a supplier. */
export function PartyHead({
  party: { scheme, id, key },
  found,
}: {
  readonly party: Party;
  readonly found: Organization | undefined;
}): VNode {
  const { lang } = usePage();
  const { locality, region } = found?.address ?? {};
  const place = [locality, region].filter((part) => part !== undefined && part !== '').join(', ');
  return (
    <div class="page-head">
      <h1>{found?.name === undefined ? <Others text={key} /> : <Written of={found} name="name" />}</h1>
      <p class="quiet">
        <span>
          {scheme === 'UA-EDR' ? TEXTS[lang].edr : scheme} <span class="number">{id}</span>
        </span>
        {place !== '' && <Others text={place} lang={lang === 'en' ? 'uk' : undefined} />}
      </p>
      <p class="quiet small">{TEXTS[lang].known}</p>
    </div>
  );
}
