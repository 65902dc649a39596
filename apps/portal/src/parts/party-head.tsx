import type { VNode } from 'preact';
import type { Organization, Party } from '../domain/party.ts';
import { translations } from '../texts/translations.ts';
import { Others, Written } from './basics.tsx';
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
