import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { MAIN_SCHEMES } from '@procurement/contracts/resources/item';
import { activeChanges, type ContractTotals } from '../../revisions/domain/contract-totals.ts';
import { asObjects, asObject, partyKey, asText, type TenderColumns } from '../../revisions/domain/tender-columns.ts';
import { parseTerms, type Terms } from '../../revisions/domain/words.ts';

/** Weights of places, as PostgreSQL names them. */
type Weight = 'A' | 'B' | 'C' | 'D';

/** The terms at one place of the texts of a tender. */
interface PlacedTerms {
  readonly at: number;
  readonly weight: Weight;
  readonly terms: Terms;
}

/** What search finds a tender by (register.md 6.3). */
export interface SearchTerms {
  readonly places: readonly PlacedTerms[];
  /** `=cpv:30`: lexemes without places, which no word of a client can equal. */
  readonly keys: readonly string[];
}

/** What search stores of a text. */
export interface TextTerms {
  readonly summary: string;
  /** SHA-256 of the terms, in hex. */
  readonly hash: string;
  readonly vector: TermsVector;
}

/** Changed with every change of what terms a text gives, so that `reindex` writes them again. */
const VERSION = '2';
const PLACES_MAX = 2_000;
// A tsvector holds less than 1 MiB of lexemes.
const WORD_BYTES_MAX = 400_000;
const KEY_BYTES_MAX = 400_000;
const KEY_CHARACTERS_MAX = 200;
const CPV_DIGITS = 8;
const CPV_DIGITS_MIN = 2;
const QUOTED = /['\\]/;
const LATIN = /^[a-z]{3,}$/;
// What JSON and PostgreSQL disagree on: NUL, other controls, and halves of surrogate pairs.
const UNSTORABLE = /[\p{Cc}\p{Cs}]/gu;

type Source = readonly [
  weight: Weight,
  texts: (tender: JsonObject, contracts: readonly JsonObject[]) => readonly unknown[],
];

const inLanguages = (object: JsonObject, name: string): readonly unknown[] =>
  ['', '_en', '_ru'].map((suffix) => object[name + suffix]);

/** Texts that are indexed, the most important first: a tender has a limited number of places. */
const SOURCES: readonly Source[] = [
  ['A', (tender) => [tender['tenderID'], ...inLanguages(tender, 'title')]],
  ['A', ({ lots }) => asObjects(lots).flatMap((lot) => inLanguages(lot, 'title'))],
  ['A', ({ contracts }) => asObjects(contracts).map(({ contractID }) => contractID)],
  ['D', ({ procuringEntity }) => entityNames(asObject(procuringEntity))],
  ['B', ({ items }) => asObjects(items).flatMap((item) => inLanguages(item, 'description'))],
  [
    'B',
    ({ items }) =>
      asObjects(items)
        .flatMap(classifications)
        .map(({ description }) => description),
  ],
  ['B', (_tender, contracts) => contracts.flatMap(contractNumbers)],
  ['C', (tender) => inLanguages(tender, 'description')],
  ['C', ({ features }) => asObjects(features).flatMap((one) => [one['title'], one['description']])],
  ['C', (_tender, contracts) => contracts.flatMap(activeChanges).flatMap((change) => inLanguages(change, 'rationale'))],
];

/** The terms of a public tender. Nothing else of it can be searched. `contracts`: those of `presentContracts`. */
export function searchTerms(tender: JsonObject, columns: TenderColumns, contracts: readonly JsonObject[]): SearchTerms {
  return { places: placeTerms(tender, contracts), keys: searchKeys(tender, columns, contracts) };
}

/** Equal for tenders with the same terms. */
export function formatIdentity({ text }: TermsVector): string {
  return `${VERSION} ${text}`;
}

/** The keys of CPV codes that begin with a prefix of 2 to 8 digits. */
export function cpvKey(prefix: string): string {
  return `=cpv:${prefix}`;
}

/** A key in the form in which it is stored. */
export function formatKey(name: string, value: string): string {
  return `=${name}:${value}`.replaceAll(UNSTORABLE, '').slice(0, KEY_CHARACTERS_MAX);
}

const HEX_ID = /^[0-9a-f]{32}$/;

/** Whether a text is an id and no number. */
export function isHexId(text: string): boolean {
  return HEX_ID.test(text);
}

/**
 * What search stores of a contract with this id, or with this `contractID` in lower case. The key with the number ends with the id of the
 * contract, so that of a number only the beginning of the key is known.
 */
export function contractLexeme(idOrNumber: string): { readonly lexeme: string; readonly isPrefix: boolean } {
  const key = formatKey('contract', idOrNumber);
  return isHexId(idOrNumber) ? { lexeme: key, isPrefix: false } : { lexeme: `${key} `, isPrefix: true };
}

/** Distinct Latin words, whose English stems are asked from the database. */
export function latinWords({ places }: SearchTerms): readonly string[] {
  const words = new Set<string>();
  for (const { terms } of places) for (const term of terms) if (isLatin(term)) words.add(term);
  return [...words];
}

export function isLatin(word: string): boolean {
  return LATIN.test(word);
}

/** What search stores. */
export interface TermsVector {
  /** Each lexeme once. */
  readonly lexemes: readonly string[];
  /** Text of a tsvector. */
  readonly text: string;
}

/** `english` gives the stems of Latin words. */
export function termsVector({ places, keys }: SearchTerms, english: ReadonlyMap<string, string>): TermsVector {
  const marks = new Map<string, string>();
  for (const { at, weight, terms } of places)
    for (const lexeme of withEnglish(terms, english)) {
      const known = marks.get(lexeme);
      marks.set(lexeme, known === undefined ? `${at}${weight}` : `${known},${at}${weight}`);
    }
  const words = [...marks].map(([lexeme, at]) => `${quoteLexeme(lexeme)}:${at}`);
  return { lexemes: [...marks.keys(), ...keys], text: [...words, ...keys.map(quoteLexeme)].join(' ') };
}

/** Quotes a lexeme for tsvector and tsquery: nothing in it is an operator. */
export function quoteLexeme(lexeme: string): string {
  return QUOTED.test(lexeme) ? `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : `'${lexeme}'`;
}

function withEnglish(terms: Terms, english: ReadonlyMap<string, string>): Terms {
  const stems = english.size === 0 ? [] : terms.flatMap((term) => english.get(term) ?? []);
  return stems.length === 0 ? terms : [...terms, ...stems.map((stem) => `~${stem}`)];
}

function placeTerms(tender: JsonObject, contracts: readonly JsonObject[]): readonly PlacedTerms[] {
  const places: PlacedTerms[] = [];
  let [at, bytes] = [0, 0];
  for (const [weight, texts] of SOURCES)
    for (const text of texts(tender, contracts)) {
      for (const terms of parseTerms(asText(text) ?? '')) {
        at += 1;
        bytes += terms.reduce((sum, term) => sum + Buffer.byteLength(term), 0);
        if (places.length >= PLACES_MAX || bytes > WORD_BYTES_MAX) return places;
        places.push({ at, weight, terms });
      }
      // A gap, so that no phrase goes over the end of a text.
      at += 1;
    }
  return places;
}

function searchKeys(
  tender: JsonObject,
  { method, cpv, regions, buyerRegion }: TenderColumns,
  contracts: readonly JsonObject[],
): readonly string[] {
  const keys = new Set([
    ...cpv.flatMap(cpvPrefixes).map(cpvKey),
    ...(method === undefined ? [] : [formatKey('method', method)]),
    ...regions.map((region) => formatKey('region', region)),
    ...(buyerRegion === undefined ? [] : [formatKey('buyerRegion', buyerRegion)]),
    ...partyKeys('buyer', [tender['procuringEntity']]),
    ...partyKeys('supplier', membersWithin(tender['awards'], 'suppliers')),
    ...contracts.flatMap(contractKeys),
    ...partyKeys('bidder', membersWithin(tender['bids'], 'tenderers')),
  ]);
  let bytes = 0;
  return [...keys].filter((key) => (bytes += Buffer.byteLength(key)) <= KEY_BYTES_MAX);
}

/** `30197630`: `30`, `301`, ... */
function cpvPrefixes(code: number): readonly string[] {
  const digits = String(code).padStart(CPV_DIGITS, '0');
  return Array.from({ length: CPV_DIGITS - CPV_DIGITS_MIN + 1 }, (_, n) => digits.slice(0, CPV_DIGITS_MIN + n));
}

/** Makes keys of `<scheme>-<id>` and of the id alone, as filters ask for them. */
function partyKeys(name: string, organizations: readonly unknown[]): readonly string[] {
  return organizations.flatMap((organization) => {
    const whole = partyKey(organization);
    const id = asText(asObject(asObject(organization)['identifier'])['id']);
    return whole === undefined || id === undefined ? [] : [formatKey(name, whole), formatKey(name, id)];
  });
}

/** Keys of a contract by id and number, of its present state, and of the reasons of its changes in force. */
function contractKeys(contract: JsonObject): readonly string[] {
  const [id, number, status] = ['id', 'contractID', 'status'].map((name) => asText(contract[name]));
  const reasons = activeChanges(contract).flatMap(({ rationaleTypes }) =>
    Array.isArray(rationaleTypes) ? rationaleTypes.flatMap((code) => asText(code) ?? []) : [],
  );
  return [
    ...(id === undefined ? [] : [formatKey('contract', id)]),
    ...(id === undefined || number === undefined ? [] : [formatKey('contract', `${number.toLowerCase()} ${id}`)]),
    ...(status === undefined ? [] : [formatKey('contractStatus', status)]),
    ...reasons.map((code) => formatKey('rationale', code)),
  ];
}

function contractNumbers({ contractNumber, changes }: JsonObject): readonly unknown[] {
  return [contractNumber, ...asObjects(changes).map((change) => change['contractNumber'])];
}

function membersWithin(list: unknown, name: string): readonly unknown[] {
  return asObjects(list).flatMap((one) => asObjects(one[name]));
}

function entityNames(entity: JsonObject): readonly unknown[] {
  return [...inLanguages(entity, 'name'), asObject(entity['identifier'])['legalName']];
}

function classifications(item: JsonObject): readonly JsonObject[] {
  return [asObject(item['classification']), ...asObjects(item['additionalClassifications'])];
}

/** Members of a search's answer that no other column has, as JSON text (register.md 6.2). */
export function summaryText(
  tender: JsonObject,
  columns: TenderColumns,
  { paid }: Pick<ContractTotals, 'paid'>,
): string {
  const { method, currency, amount, regions, bids, contracted, title, titleEn } = columns;
  const entity = asObject(tender['procuringEntity']);
  const { scheme, id } = asObject(entity['identifier']);
  const endDate = asText(asObject(tender['tenderPeriod'])['endDate']);
  const codes = asObjects(tender['items']).map((item) => asObject(item['classification']));
  const schemes: readonly unknown[] = MAIN_SCHEMES;
  const cpv = codes.flatMap((code) => (schemes.includes(code['scheme']) ? (asText(code['id']) ?? []) : []));
  return JSON.stringify({
    procurementMethodType: method,
    title,
    title_en: titleEn,
    value: amount === undefined ? undefined : { amount, currency },
    procuringEntity: { name: asText(entity['name']), identifier: { scheme: asText(scheme), id: asText(id) } },
    cpv: [...new Set(cpv)],
    region: regions,
    tenderPeriod: endDate === undefined ? undefined : { endDate },
    numberOfBids: bids,
    contracted,
    paid,
  });
}
