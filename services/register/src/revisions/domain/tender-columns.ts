import { parseDateTime, type Instant } from '@procurement/contracts/reading/instant';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { MAIN_SCHEMES } from '@procurement/contracts/resources/item';
import { regionCode } from '@procurement/contracts/resources/regions';

/** What lists, filters and search read of a public tender (register.md 10.1). A member that the tender lacks is absent. */
export interface TenderColumns {
  readonly id: string;
  /** `tenderID`. */
  readonly number: string;
  readonly dateModified: string;
  readonly isTest: boolean;
  readonly status: string;
  readonly method?: string;
  /** `<scheme>-<id>` of the procuring entity. */
  readonly buyer?: string;
  readonly currency?: string;
  readonly amount?: number;
  /** Classification codes of items without their check digits, ascending. */
  readonly cpv: readonly number[];
  /** Delivery regions of items: codes, or folded names (`regionCode`), sorted. */
  readonly regions: readonly string[];
  readonly buyerRegion?: string;
  readonly enquiryEnd?: Instant;
  readonly tenderStart?: Instant;
  readonly tenderEnd?: Instant;
  /** Number of public bids. */
  readonly bids?: number;
  /** Sum of active contracts in the currency of the tender. */
  readonly contracted?: number;
  readonly title?: string;
  readonly titleEn?: string;
}

/** A public tender from the text that an anonymous reader got. Throws when the text is none. */
export function parsePublicTender(text: string): JsonObject {
  const { data } = membersOf(JSON.parse(text));
  const tender = membersOf(data);
  if (['id', 'tenderID', 'dateModified', 'status'].some((name) => textOf(tender[name]) === undefined))
    throw new Error('the text is not a public tender');
  return tender;
}

/** The columns of a public tender. Members that have another shape than the API gives them count as absent. */
export function tenderColumns(tender: JsonObject): TenderColumns {
  const buyer = membersOf(tender['procuringEntity']);
  const value = membersOf(tender['value']);
  const items = listOf(tender['items']);
  const currency = textOf(value['currency']);
  const optional = {
    method: textOf(tender['procurementMethodType']),
    buyer: partyKey(buyer),
    currency,
    amount: numberOf(value['amount']),
    buyerRegion: addressRegion(buyer['address']),
    enquiryEnd: instantAt(tender['enquiryPeriod'], 'endDate'),
    tenderStart: instantAt(tender['tenderPeriod'], 'startDate'),
    tenderEnd: instantAt(tender['tenderPeriod'], 'endDate'),
    bids: numberOf(tender['numberOfBids']),
    contracted: sumOf(
      listOf(tender['contracts']).filter(({ status }) => status === 'active'),
      'value',
      currency,
    ),
    title: textOf(tender['title']),
    titleEn: textOf(tender['title_en']),
  };
  return {
    // Safe defaults: `parsePublicTender` refuses a tender without them.
    id: textOf(tender['id']) ?? '',
    number: textOf(tender['tenderID']) ?? '',
    dateModified: textOf(tender['dateModified']) ?? '',
    status: textOf(tender['status']) ?? '',
    isTest: tender['mode'] === 'test',
    cpv: distinct(items.flatMap((item) => cpvOf(item['classification']))).sort((one, other) => one - other),
    regions: distinct(items.flatMap((item) => addressRegion(item['deliveryAddress']) ?? [])).sort(),
    ...present(optional),
  };
}

/** When enquiries begin. */
export function startOfEnquiries(tender: JsonObject): Instant | undefined {
  return instantAt(tender['enquiryPeriod'], 'startDate');
}

/** `<scheme>-<id>` of an organization. */
export function partyKey(organization: unknown): string | undefined {
  const { scheme, id } = membersOf(membersOf(organization)['identifier']);
  const [schemeText, idText] = [textOf(scheme), textOf(id)];
  return schemeText === undefined || idText === undefined ? undefined : `${schemeText}-${idText}`;
}

function cpvOf(classification: unknown): readonly number[] {
  const { scheme, id } = membersOf(classification);
  const schemes: readonly unknown[] = MAIN_SCHEMES;
  const code = /^(\d{8})-\d$/.exec(textOf(id) ?? '')?.[1];
  return schemes.includes(scheme) && code !== undefined ? [Number(code)] : [];
}

/** The sum of the amounts in a currency that a member of objects has; undefined when none has one. */
export function sumOf(list: readonly JsonObject[], name: string, currency: string | undefined): number | undefined {
  const amounts = list
    .map((one) => membersOf(one[name]))
    .flatMap((value) => (value['currency'] === currency ? (numberOf(value['amount']) ?? []) : []));
  if (amounts.length === 0) return undefined;
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return sum;
}

function addressRegion(address: unknown): string | undefined {
  const region = textOf(membersOf(address)['region']);
  return region === undefined || region === '' ? undefined : regionCode(region);
}

function instantAt(period: unknown, end: 'startDate' | 'endDate'): Instant | undefined {
  return parseDateTime(textOf(membersOf(period)[end]) ?? '')?.instant;
}

export function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

function present<T extends object>(members: T): Present<T> {
  // Safe cast: only members with a value are left.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>;
}
