import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { DAY, parseDateTime, wallTime, type Instant } from '@procurement/contracts/reading/instant';
import type { ContractTotals } from '../../revisions/domain/contract-totals.ts';
import { asObjects, asObject, asText, type TenderColumns } from '../../revisions/domain/tender-columns.ts';

/** What a tender adds to statistics and to the list of buyers (register.md 6.6). */
export interface Contribution {
  /** Day of its publication in the zone of the service: `2026-03-31`. */
  readonly day: string;
  readonly isTest: boolean;
  readonly method: string;
  readonly buyer?: CountedBuyer;
  /** Empty without a value. */
  readonly currency: string;
  readonly amount?: number;
  readonly outcome: Outcome;
  /** Number of public bids. */
  readonly bids?: number;
  /** Sum of the active contracts in the currency of the tender. */
  readonly contracted?: number;
  /** Numbers of its signed contracts, of those with a change in force, and of those that ended. Absent without a signed one. */
  readonly signed?: number;
  readonly amended?: number;
  readonly terminated?: number;
  /** Sum of the signed contracts as they are now, in the currency of the tender. */
  readonly present?: number;
  /** Sum of what was paid for contracts that ended, in the currency of the tender. */
  readonly paid?: number;
  /** Days from its publication to the last signature of an active contract. */
  readonly daysToContract?: number;
  /** First four digits of the codes of its items. */
  readonly cpv: readonly string[];
  /** Regions of delivery. */
  readonly regions: readonly string[];
}

export interface CountedBuyer {
  readonly scheme: string;
  readonly code: string;
  readonly name: string;
}

export type Outcome = 'active' | 'complete' | 'unsuccessful' | 'cancelled';

export const CPV_DIGITS_STORED = 4;
/** Region of a delivery that goes to no region of the table. */
export const OTHER_REGION = 'other';
const OUTCOMES: readonly string[] = ['complete', 'unsuccessful', 'cancelled'];
const REGION_CODE = /^UA-\d{2}$/;
// Keys are entries of an index, which may have 2,704 bytes.
const SCHEME_CHARACTERS_MAX = 64;
const CODE_CHARACTERS_MAX = 128;
const NAME_CHARACTERS_MAX = 1_000;
const METHOD_CHARACTERS_MAX = 64;

/** The part of a contribution that comes from the text alone. */
export interface ContributionSource extends Omit<Contribution, 'day' | 'isTest' | 'daysToContract'> {
  /** Last signature of an active contract. */
  readonly lastSigned?: number;
}

export function contributionSource(
  tender: JsonObject,
  columns: TenderColumns,
  contracts: ContractTotals,
): ContributionSource {
  const { status, method, currency, amount, bids, contracted, cpv, regions } = columns;
  const { signed, amended, terminated, ...sums } = contracts;
  const lastSigned = lastSignature(tender['contracts']);
  const buyer = readBuyer(tender['procuringEntity']);
  const codes = cpv.map((code) => String(code).padStart(8, '0').slice(0, CPV_DIGITS_STORED));
  return {
    method: (method ?? '').slice(0, METHOD_CHARACTERS_MAX),
    currency: amount === undefined ? '' : (currency ?? '').slice(0, SCHEME_CHARACTERS_MAX),
    outcome: isOutcome(status) ? status : 'active',
    cpv: [...new Set(codes)],
    regions: [...new Set(regions.map((one) => (REGION_CODE.test(one) ? one : OTHER_REGION)))],
    ...(buyer === undefined ? {} : { buyer }),
    ...(amount === undefined ? {} : { amount }),
    // A list without bids has none of which something is public.
    ...(bids === undefined || bids < 1 ? {} : { bids: Math.trunc(bids) }),
    ...(contracted === undefined ? {} : { contracted }),
    ...(signed === 0 ? {} : { signed, amended, terminated }),
    ...sums,
    ...(lastSigned === undefined ? {} : { lastSigned }),
  };
}

/** `created` is when the tender was published. */
export function buildContribution(
  { lastSigned, method, currency, outcome, cpv, regions, ...optional }: ContributionSource,
  { created, isTest }: { readonly created: number; readonly isTest: boolean },
): Contribution {
  return {
    // Safe cast: a position is a whole number of microseconds.
    day: wallTime(created as Instant).date,
    isTest,
    // In the order of contributions that are stored: they are compared as texts.
    method,
    currency,
    outcome,
    cpv,
    regions,
    ...optional,
    ...(lastSigned === undefined ? {} : { daysToContract: daysToContract(lastSigned, created) }),
  };
}

function isOutcome(status: string): status is Outcome {
  return OUTCOMES.includes(status);
}

function readBuyer(entity: unknown): CountedBuyer | undefined {
  const { identifier, name } = asObject(entity);
  const { scheme, id } = asObject(identifier);
  const [schemeText, code] = [asText(scheme), asText(id)];
  if (schemeText === undefined || code === undefined) return undefined;
  return {
    scheme: schemeText.slice(0, SCHEME_CHARACTERS_MAX),
    code: code.slice(0, CODE_CHARACTERS_MAX),
    name: (asText(name) ?? '').slice(0, NAME_CHARACTERS_MAX),
  };
}

function lastSignature(contracts: unknown): number | undefined {
  const signed = asObjects(contracts)
    .filter((contract) => contract['status'] === 'active')
    .flatMap((contract) => parseDateTime(asText(contract['dateSigned']) ?? '')?.instant ?? []);
  return signed.length === 0 ? undefined : Math.max(...signed);
}

/** Whole days; a signature before the publication counts as on its day. */
function daysToContract(lastSigned: number, created: number): number {
  return Math.max(0, Math.floor((lastSigned - created) / DAY));
}
