import type { Language } from '@procurement/page-style/time-left';
import type { VNode } from 'preact';
import { visibleText } from '../format/visible-text.ts';
import { translations } from '../texts/translations.ts';
import { ForeignLink, Others, textIn, Written } from './basics.tsx';
import { usePage } from './page-context.ts';

const TEXTS = translations({
  uk: { edr: 'ЄДРПОУ', contact: 'Контактна особа', phone: 'Телефон', email: 'Пошта', site: 'Сайт', fax: 'Факс' },
  en: { edr: 'EDRPOU', contact: 'Contact person', phone: 'Telephone', email: 'E-mail', site: 'Web site', fax: 'Fax' },
});

interface Identifier {
  readonly scheme: string;
  readonly id: string;
}

interface Address {
  readonly locality?: string;
  readonly region?: string;
  readonly countryName?: string;
}

/** A buyer or supplier, as the API shows it. */
export interface Party {
  readonly name: string;
  readonly identifier: Identifier;
  readonly address?: Address;
  readonly contactPoint?: Readonly<Record<string, unknown>> | object;
}

const pathOf = (kind: string, { scheme, id }: Identifier): string =>
  `/${kind}/${encodeURIComponent(`${scheme}-${id}`)}`;

/** The page of a buyer. */
export const buyerPath = (identifier: Identifier): string => pathOf('buyers', identifier);

/** The page of a supplier. */
export const supplierPath = (identifier: Identifier): string => pathOf('suppliers', identifier);

/** Where somebody is: town and region, without an empty part. */
export function place(address: Address | undefined, lang: Language): string {
  if (address === undefined) return '';
  const parts = ['locality', 'region'].flatMap((name) => textIn(address, name, lang)?.text ?? []);
  return visibleText([...new Set(parts)].join(', '));
}

/** `ЄДРПОУ 25733061`, or the scheme of another register. */
export function IdentifierText({ scheme, id }: Identifier): VNode {
  const { lang } = usePage();
  return (
    <span class="number">
      {scheme === 'UA-EDR' ? TEXTS[lang].edr : visibleText(scheme)} {visibleText(id)}
    </span>
  );
}

/** How to reach somebody. Persons stand folded, and search engines leave them out (portal.md 12). */
export function Contact({ party }: { readonly party: Party }): VNode | null {
  const { lang } = usePage();
  const { contactPoint } = party;
  if (contactPoint === undefined) return null;
  const t = TEXTS[lang];
  // Safe cast: members are read by name and judged by type.
  const { telephone, email, faxNumber, url } = contactPoint as Readonly<Record<string, unknown>>;
  const rows = [
    [t.phone, telephone],
    [t.email, email],
    [t.fax, faxNumber],
  ].flatMap(([label, value]) => (typeof value === 'string' ? [[label, value] as const] : []));
  return (
    <details data-nosnippet class="small">
      <summary>{t.contact}</summary>
      <p>
        <Written of={contactPoint} name="name" />
      </p>
      {rows.map(([label, value]) => (
        <p key={String(label)}>
          {String(label)}: <Others text={value} />
        </p>
      ))}
      {typeof url === 'string' && (
        <p>
          {t.site}: <ForeignLink address={url} />
        </p>
      )}
    </details>
  );
}
