import { PUBLICATION_CAUSES } from '@procurement/contracts/resources/causes';
import { regionCode } from '@procurement/contracts/resources/regions';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { anyText, listOf, naming, oneOf, type ParametersOf, type Reader } from './parameters.ts';

/** What filters read of a revision. */
export interface FilteredAttributes {
  readonly id: string;
  readonly listed: boolean;
  readonly isTest: boolean;
  readonly status: string;
  readonly method?: string;
  /** `<scheme>-<id>`. */
  readonly buyer?: string;
  readonly currency?: string;
  readonly amount?: number;
  /** Codes of eight digits. */
  readonly cpv: readonly number[];
  readonly regions: readonly string[];
}

type Mode = 'test' | '_all_';

const IDS_MAX = 100;
const CPV_DIGITS = 8;
const CURRENCY_DEFAULT = 'UAH';

/** Codes from `from` to before `to`. */
export interface CpvRange {
  readonly from: number;
  readonly to: number;
}

const STATUSES: readonly string[] = ['active', ...TENDER_STATUSES];
const CAUSES: readonly string[] = PUBLICATION_CAUSES;

const mode: Reader<Mode> = oneOf(['test', '_all_']);
const status: Reader<string> = oneOf(STATUSES);
const currencyCode: Reader<string> = naming(['three letters, such as UAH'], (text) =>
  /^[A-Z]{3}$/.test(text) ? text : undefined,
);

/** A prefix of 2 to 8 digits, or a whole code, whose check digit and trailing zeros are dropped. */
const cpvRange: Reader<CpvRange> = naming(['2 to 8 digits of a CPV code'], (text) => {
  const code = /^(\d{8})-\d$/.exec(text)?.[1];
  const prefix = code === undefined ? text : code.slice(0, 2) + code.slice(2).replace(/0+$/, '');
  if (!/^\d{2,8}$/.test(prefix)) return undefined;
  const width = 10 ** (CPV_DIGITS - prefix.length);
  return { from: Number(prefix) * width, to: (Number(prefix) + 1) * width };
});

const cause: Reader<bigint> = naming(CAUSES, (text) => {
  const bit = CAUSES.indexOf(text);
  return bit < 0 ? undefined : 1n << BigInt(bit);
});

const region: Reader<string> = naming(['ISO 3166-2:UA codes, or names, of regions'], (text) =>
  text === '' ? undefined : regionCode(text),
);
const decimal: Reader<number> = naming(['a number of 0 or more, such as 1000.50'], (text) =>
  // A number as JSON has it; zero may have a sign.
  /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) && Number(text) >= 0 && Number(text) < 1e15
    ? Math.abs(Number(text))
    : undefined,
);

/** The parameters of filters (register.md 3.3). */
export const FILTER_PARAMETERS = {
  mode,
  ids: listOf(
    naming(['ids of tenders'], (text) => (/^[0-9a-f]{32}$/.test(text) ? text : undefined)),
    IDS_MAX,
  ),
  status: listOf(status),
  method: listOf(anyText(64)),
  cpv: listOf(cpvRange),
  buyer: listOf(anyText(128)),
  region: listOf(region),
  amountFrom: decimal,
  amountTo: decimal,
  currency: currencyCode,
  causes: listOf(cause),
} as const;

/** A filter as its parameters were read; without one every real tender matches. */
export type Filter = ParametersOf<typeof FILTER_PARAMETERS>;

type Condition = (filter: Filter, attributes: FilteredAttributes) => boolean;

/** Joined by AND; entries of one list by OR. */
const CONDITIONS: readonly Condition[] = [
  (_filter, { listed }) => listed,
  ({ mode }, { isTest }) => mode === '_all_' || isTest === (mode === 'test'),
  ({ ids }, { id }) => ids === undefined || ids.includes(id),
  ({ status: statuses }, tender) => statuses === undefined || statuses.some((one) => hasStatus(one, tender.status)),
  ({ method }, tender) => method === undefined || (tender.method !== undefined && method.includes(tender.method)),
  ({ cpv }, tender) =>
    cpv === undefined || tender.cpv.some((code) => cpv.some(({ from, to }) => code >= from && code < to)),
  ({ buyer }, tender) => buyer === undefined || buyer.some((one) => isParty(one, tender.buyer)),
  ({ region: regions }, tender) => regions === undefined || tender.regions.some((one) => regions.includes(one)),
  matchesAmount,
];

/** Whether a revision matches a filter. Causes are of the change and not of the tender: `hasCause`. */
export function matches(filter: Filter, attributes: FilteredAttributes): boolean {
  return CONDITIONS.every((condition) => condition(filter, attributes));
}

/** Whether one of the causes that the filter asks for made the change. */
export function hasCause({ causes }: Filter, set: bigint): boolean {
  return causes === undefined || causes.some((one) => (one & set) !== 0n);
}

/** Whether it filters by anything but `mode`. */
export function isFiltered({ mode: _mode, ...rest }: Filter): boolean {
  return Object.keys(rest).length > 0;
}

/** Equal for filters with the same parameters. */
export function filterKey(filter: Filter): string {
  const pairs = Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(pairs, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

function hasStatus(asked: string, given: string): boolean {
  return asked === given || (asked === 'active' && given.startsWith('active.'));
}

/** Compares `<scheme>-<id>`, or the id alone. */
function isParty(asked: string, given: string | undefined): boolean {
  return given !== undefined && (given === asked || given.endsWith(`-${asked}`));
}

function matchesAmount({ amountFrom, amountTo, currency }: Filter, tender: FilteredAttributes): boolean {
  if (amountFrom === undefined && amountTo === undefined && currency === undefined) return true;
  const { amount } = tender;
  return (
    amount !== undefined &&
    tender.currency === (currency ?? CURRENCY_DEFAULT) &&
    amount >= (amountFrom ?? 0) &&
    amount <= (amountTo ?? Infinity)
  );
}
