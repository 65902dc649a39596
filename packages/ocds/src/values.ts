import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { CURRENCIES } from './standard.golden.ts';

/** An object without its empty members (ocds.md 2.0). Its values are already without empty members of their own. */
export function compact(members: JsonObject): JsonObject {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    if (!isEmpty(members[name])) kept[name] = members[name];
  }
  return kept;
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The objects of a list; none when it is not a list. */
export function asObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

// PostgreSQL stores neither U+0000 nor half of a surrogate pair in jsonb, and addresses cannot encode the latter.
const UNSTORABLE = /[\0\p{Cs}]/u;

/** A text without U+0000, and with U+FFFD for half of a surrogate pair; undefined when only white space remains. */
export function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const clean = UNSTORABLE.test(value) ? value.replaceAll('\0', '').replaceAll(/\p{Cs}/gu, '\uFFFD') : value;
  return clean.trim() === '' ? undefined : clean;
}

/** An identifier: numbers become text. */
export function idText(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : text(value);
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A code of a closed codelist. */
export function asCode(codes: ReadonlySet<string>, value: unknown): string | undefined {
  return typeof value === 'string' && codes.has(value) ? value : undefined;
}

/** The text members of these names with their variants `_en` and `_ru`, in the order of the names. */
export function multilingual(source: JsonObject, ...names: readonly string[]): JsonObject {
  const members: Record<string, string | undefined> = {};
  for (const name of names) {
    for (const variant of [name, `${name}_en`, `${name}_ru`]) members[variant] = text(source[variant]);
  }
  return members;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** A date with time and offset, as the API shows it. */
export function timestamp(value: unknown): string | undefined {
  return typeof value === 'string' && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

export function period(value: unknown): JsonObject {
  const { startDate, endDate } = asObject(value);
  return compact({ startDate: timestamp(startDate), endDate: timestamp(endDate) });
}

/** An amount of money. The codelist of currencies is closed: another code is omitted, the amount stays. */
export function money(value: unknown): JsonObject {
  const { amount, currency, valueAddedTaxIncluded } = asObject(value);
  return compact({
    amount: asNumber(amount),
    currency: asCode(CURRENCIES, text(currency)?.toUpperCase()),
    valueAddedTaxIncluded: typeof valueAddedTaxIncluded === 'boolean' ? valueAddedTaxIncluded : undefined,
  });
}

export function address(value: unknown): JsonObject {
  const source = asObject(value);
  return compact({
    streetAddress: text(source['streetAddress']),
    locality: text(source['locality']),
    region: text(source['region']),
    postalCode: text(source['postalCode']),
    ...multilingual(source, 'countryName'),
  });
}

// RFC 3986, without its rare forms. What WHATWG serialises outside of it (| in a path) is percent-encoded first.
const NOT_IN_URI = /[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})/g;
const URI = /^[a-z][a-z0-9+.-]*:(?:\/\/(?:[^/?#[\]]*|[^/?#]*\[[0-9a-f:.]+\](?::\d+)?))?[^#[\]]*(?:#[^#[\]]*)?$/i;

/** An absolute URI in ASCII; undefined for everything that is none (ocds.md 2.0). */
export function uri(value: unknown): string | undefined {
  const [start = '', ...fragment] = (parsedUrl(text(value))?.href ?? '').split('#');
  const [head, tail] = afterAuthority(start);
  const encoded = head + encodeStray(tail) + (fragment.length === 0 ? '' : `#${encodeStray(fragment.join('%23'))}`);
  return URI.test(encoded) ? encoded : undefined;
}

function parsedUrl(source: string | undefined): URL | undefined {
  try {
    return source === undefined ? undefined : new URL(source);
  } catch {
    return undefined;
  }
}

function afterAuthority(href: string): readonly [string, string] {
  const authority = /^[^:/?#]+:\/\/[^/?#]*/.exec(href)?.[0] ?? '';
  return [authority, href.slice(authority.length)];
}

function encodeStray(part: string): string {
  return part.replace(NOT_IN_URI, (character) => (character === '%' ? '%25' : encodeURIComponent(character)));
}

/** The objects of a list that have an id, the first of each id: of others neither members nor parties are published. */
export function identified(list: unknown): readonly JsonObject[] {
  const seen = new Set<string>();
  return asObjects(list).filter((entry) => {
    const id = idText(entry['id']);
    if (id === undefined || seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** Mapped entries with an id, the first of each: arrays of OCDS merge by id, and ids are unique in each (ocds.md 7.2, C3). */
export function uniqueById(entries: readonly JsonObject[]): readonly JsonObject[] {
  const seen = new Set<unknown>();
  return entries.filter(({ id }) => {
    if (isEmpty(id) || seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** Entries that are not empty, the first of each scheme and id: codes of two schemes may be equal (decision 0091). */
export function uniqueByScheme(entries: readonly JsonObject[]): readonly JsonObject[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const key = JSON.stringify([entry['scheme'], entry['id']]);
    if (isEmpty(entry) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
