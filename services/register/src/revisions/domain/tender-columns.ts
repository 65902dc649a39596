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
  const { data } = asObject(JSON.parse(text));
  const tender = asObject(data);
  if (['id', 'tenderID', 'dateModified', 'status'].some((name) => asText(tender[name]) === undefined))
    throw new Error('the text is not a public tender');
  return tender;
}

/** The columns of a public tender. Members that have another shape than the API gives them count as absent. */
export function tenderColumns(tender: JsonObject): TenderColumns {
  const buyer = asObject(tender['procuringEntity']);
  const value = asObject(tender['value']);
  const items = asObjects(tender['items']);
  const currency = asText(value['currency']);
  const optional = {
    method: asText(tender['procurementMethodType']),
    buyer: partyKey(buyer),
    currency,
    amount: asNumber(value['amount']),
    buyerRegion: addressRegion(buyer['address']),
    enquiryEnd: instantAt(tender['enquiryPeriod'], 'endDate'),
    tenderStart: instantAt(tender['tenderPeriod'], 'startDate'),
    tenderEnd: instantAt(tender['tenderPeriod'], 'endDate'),
    bids: asNumber(tender['numberOfBids']),
    contracted: sumAmounts(
      asObjects(tender['contracts']).filter(({ status }) => status === 'active'),
      'value',
      currency,
    ),
    title: asText(tender['title']),
    titleEn: asText(tender['title_en']),
  };
  return {
    // Safe defaults: `parsePublicTender` refuses a tender without them.
    id: asText(tender['id']) ?? '',
    number: asText(tender['tenderID']) ?? '',
    dateModified: asText(tender['dateModified']) ?? '',
    status: asText(tender['status']) ?? '',
    isTest: tender['mode'] === 'test',
    cpv: distinct(items.flatMap((item) => parseCpv(item['classification']))).sort((one, other) => one - other),
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
  const { scheme, id } = asObject(asObject(organization)['identifier']);
  const [schemeText, idText] = [asText(scheme), asText(id)];
  return schemeText === undefined || idText === undefined ? undefined : `${schemeText}-${idText}`;
}

function parseCpv(classification: unknown): readonly number[] {
  const { scheme, id } = asObject(classification);
  const schemes: readonly unknown[] = MAIN_SCHEMES;
  const code = /^(\d{8})-\d$/.exec(asText(id) ?? '')?.[1];
  return schemes.includes(scheme) && code !== undefined ? [Number(code)] : [];
}

/** The sum of the amounts in a currency that a member of objects has; undefined when none has one. */
export function sumAmounts(
  list: readonly JsonObject[],
  name: string,
  currency: string | undefined,
): number | undefined {
  const amounts = list
    .map((one) => asObject(one[name]))
    .flatMap((value) => (value['currency'] === currency ? (asNumber(value['amount']) ?? []) : []));
  if (amounts.length === 0) return undefined;
  let total = 0;
  for (const amount of amounts) total += amount;
  return total;
}

function addressRegion(address: unknown): string | undefined {
  const region = asText(asObject(address)['region']);
  return region === undefined || region === '' ? undefined : regionCode(region);
}

function instantAt(period: unknown, end: 'startDate' | 'endDate'): Instant | undefined {
  return parseDateTime(asText(asObject(period)[end]) ?? '')?.instant;
}

export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function asObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function asNumber(value: unknown): number | undefined {
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
