import type { Language } from '@procurement/page-style/time-left';
import type { VNode } from 'preact';
import { visibleText } from '../format/visible-text.ts';
import { translations } from '../texts/translations.ts';
import { Code, ForeignLink, Others, OwnLink, textIn, Written } from './basics.tsx';
import { usePage } from './page-context.ts';

const TEXTS = translations({
  uk: {
    edr: 'ЄДРПОУ',
    details: 'Реквізити',
    withContact: 'Реквізити й контакти',
    legalName: 'Повна назва',
    address: 'Адреса',
    contact: 'Контактна особа',
    phone: 'Телефон',
    email: 'Пошта',
    site: 'Сайт',
    fax: 'Факс',
  },
  en: {
    edr: 'EDRPOU',
    details: 'Details',
    withContact: 'Details and contact',
    legalName: 'Legal name',
    address: 'Address',
    contact: 'Contact person',
    phone: 'Telephone',
    email: 'E-mail',
    site: 'Web site',
    fax: 'Fax',
  },
});

interface Identifier {
  readonly scheme: string;
  /** Absent where it was created in an older segment without one. */
  readonly id?: string;
  readonly legalName?: string;
  readonly uri?: string;
}

interface Address {
  readonly streetAddress?: string;
  readonly locality?: string;
  readonly region?: string;
  readonly postalCode?: string;
  readonly countryName?: string;
}

/** A buyer or supplier, as the API shows it. */
export interface Party {
  readonly name: string;
  readonly identifier: Identifier;
  readonly additionalIdentifiers?: readonly Identifier[];
  readonly kind?: string;
  readonly scale?: string;
  readonly address?: Address;
  readonly contactPoint?: Readonly<Record<string, unknown>> | object;
}

export interface PartyLinkProps {
  readonly party: Party;
  /** The list that has its page. */
  readonly of: 'buyers' | 'suppliers';
}

/** The name of an organization, with a link to its page; pages are by number, so one without a number has none. */
export function PartyLink({ party, of: kind }: PartyLinkProps): VNode {
  const { scheme, id } = party.identifier;
  const name = <Written of={party} name="name" />;
  return id === undefined ? name : <OwnLink to={`/${kind}/${encodeURIComponent(`${scheme}-${id}`)}`}>{name}</OwnLink>;
}

/** Where somebody is: town and region, without an empty part. */
export const place = (address: Address | undefined, lang: Language): string =>
  addressLine(address, ['locality', 'region'], lang);

/** The whole address in a line. */
export const fullAddress = (address: Address | undefined, lang: Language): string =>
  addressLine(address, ['streetAddress', 'locality', 'region', 'postalCode', 'countryName'], lang);

function addressLine(address: Address | undefined, names: readonly string[], lang: Language): string {
  if (address === undefined) return '';
  const parts = names.flatMap((name) => textIn(address, name, lang)?.text ?? []);
  return visibleText([...new Set(parts)].join(', '));
}

/** `ЄДРПОУ 25733061`, or the scheme of another register; nothing without a number. */
export function IdentifierText({ scheme, id }: Identifier): VNode {
  const { lang } = usePage();
  return id === undefined ? (
    <></>
  ) : (
    <span class="number">
      {scheme === 'UA-EDR' ? TEXTS[lang].edr : visibleText(scheme)} {visibleText(id)}
    </span>
  );
}

interface DetailsProps {
  readonly party: Party;
  /** Buyers publish whom to ask. Whether contact persons of bidders are shown is open (portal.md 16). */
  readonly withContact?: boolean;
}

/** Everything else that is known about an organization. Persons stand folded, and search engines leave them out (portal.md 12). */
export function OrganizationDetails({ party, withContact = false }: DetailsProps): VNode {
  const { lang } = usePage();
  const t = TEXTS[lang];
  const { identifier, additionalIdentifiers = [], kind, scale, address, contactPoint } = party;
  const where = fullAddress(address, lang);
  return (
    <details data-nosnippet class="small">
      <summary>{withContact ? t.withContact : t.details}</summary>
      {[identifier, ...additionalIdentifiers].map((one) => (
        <p key={`${one.scheme} ${one.id}`}>
          <IdentifierText {...one} />
          {one.legalName !== undefined && (
            <>
              {' '}
              · {t.legalName}: <Written of={one} name="legalName" />
            </>
          )}
          {one.uri !== undefined && (
            <>
              {' '}
              · <ForeignLink address={one.uri} />
            </>
          )}
        </p>
      ))}
      {kind !== undefined && (
        <p>
          <Code list="buyerKind" code={kind} />
        </p>
      )}
      {scale !== undefined && (
        <p>
          <Code list="scale" code={scale} />
        </p>
      )}
      {where !== '' && (
        <p>
          {t.address}: <Others text={where} lang={lang === 'en' ? 'uk' : undefined} />
        </p>
      )}
      {withContact && contactPoint !== undefined && <Contact point={contactPoint} />}
    </details>
  );
}

function Contact({ point }: { readonly point: NonNullable<Party['contactPoint']> }): VNode {
  const { lang } = usePage();
  const t = TEXTS[lang];
  // Safe cast: members are read by name and judged by type.
  const { telephone, email, faxNumber, url } = point as Readonly<Record<string, unknown>>;
  const rows = [
    [t.phone, telephone],
    [t.email, email],
    [t.fax, faxNumber],
  ].flatMap(([label, value]) => (typeof value === 'string' ? [[label, value] as const] : []));
  return (
    <>
      <p>
        {t.contact}: <Written of={point} name="name" />
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
    </>
  );
}
