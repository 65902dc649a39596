import { invalid, type Description, type ErrorEntry, type Problem } from '@procurement/contracts/problems/problems';
import type { BidInput } from '@procurement/contracts/resources/bid';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Value } from '@procurement/contracts/resources/value';
import { TERMS_REFUSED } from './bid.guards.ts';

type LotFacts = NonNullable<TenderFacts['lots']>[number];

/**
 * Checks a bid against the tender's terms (bids-awards-auction.md 1.3): 422 with one entry for each failing member, which
 * holds the first rule that fails; for a list, one text for each failing element. Undefined when the bid fits.
 */
export function termsRefusal(bid: BidInput, tender: TenderFacts, mayOmitParameters = false): Problem | undefined {
  const lots = tender.lots ?? [];
  const faults = {
    value: lots.length === 0 ? valueFaults(bid, tender) : valueFaultsWithLots(bid),
    lotValues: lotValuesFaults(bid, lots),
    parameters: mayOmitParameters && (bid.parameters ?? []).length === 0 ? NO_FAULTS : parametersFaults(bid, tender),
  };
  const errors = Object.entries(faults).flatMap(([name, description]): ErrorEntry[] =>
    description.length === 0 ? [] : [{ location: 'body', name, description }],
  );
  return errors.length === 0 ? undefined : { ...invalid(errors), code: TERMS_REFUSED };
}

/**
 * Kept for brokers: the interface document shows a tender with features and a bid without `parameters`, which these segments
 * accept (rulings R13); such a bid is ranked by its price. Segment 0.1 does not show features, and values for them are never
 * guessed (generations.md 5.6).
 */
export function mayOmitParameters(segment: string): boolean {
  return segment === '2.3' || segment === '0';
}

/** Error texts of one member; empty when it fits. */
type Faults = readonly Description[];

const NO_FAULTS: Faults = [];
const REQUIRED: Faults = ['This field is required.'];

function valueFaults(bid: BidInput, tender: TenderFacts): Faults {
  if (bid.value === undefined) return REQUIRED;
  const fault = tender.value === undefined ? undefined : moneyFault(bid.value, tender.value, 'tender');
  return fault === undefined ? NO_FAULTS : [fault];
}

function valueFaultsWithLots(bid: BidInput): Faults {
  return bid.value === undefined ? NO_FAULTS : ['value should be posted for each lot of bid'];
}

/** The three rules, in the order amount, currency, VAT. */
function moneyFault(value: Value, limit: Value, of: 'tender' | 'lot'): string | undefined {
  if (value.amount > limit.amount) return `value of bid should be less than value of ${of}`;
  if (value.currency !== limit.currency) return `currency of bid should be identical to currency of value of ${of}`;
  if (value.valueAddedTaxIncluded !== limit.valueAddedTaxIncluded) {
    return `valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of ${of}`;
  }
  return undefined;
}

function lotValuesFaults(bid: BidInput, lots: readonly LotFacts[]): Faults {
  const lotValues = bid.lotValues ?? [];
  if (lotValues.length === 0) return lots.length === 0 ? NO_FAULTS : REQUIRED;
  const faults = lotValues.flatMap(({ relatedLot, value }): Faults => {
    const lot = lots.find((candidate) => candidate.id === relatedLot);
    if (lot === undefined) return [{ relatedLot: ['relatedLot should be one of lots'] }];
    const fault = lot.value === undefined ? undefined : moneyFault(value, lot.value, 'lot');
    return fault === undefined ? NO_FAULTS : [{ value: [fault] }];
  });
  if (faults.length > 0) return faults;
  const named = new Set(lotValues.map((lotValue) => lotValue.relatedLot));
  return named.size < lotValues.length ? ["bids don't allow duplicated proposals"] : NO_FAULTS;
}

/** Each feature that applies to the bid has exactly one parameter, whose value is one of the feature's options. */
function parametersFaults(bid: BidInput, tender: TenderFacts): Faults {
  const features = tender.features ?? [];
  const parameters = bid.parameters ?? [];
  const faults = parameters.flatMap((parameter): Faults => {
    const feature = features.find((candidate) => candidate.code === parameter.code);
    if (feature === undefined) return [{ code: ['code should be one of feature code.'] }];
    const isOption = feature.enum.some((option) => option.value === parameter.value);
    return isOption ? NO_FAULTS : [{ value: ['value should be one of feature value.'] }];
  });
  if (faults.length > 0) return faults;
  const givenCodes = new Set(parameters.map((parameter) => parameter.code));
  if (givenCodes.size < parameters.length) return ['Parameter code should be uniq for all parameters'];
  const required = requiredCodes(bid, tender);
  if (required.size > 0 && parameters.length === 0 && (tender.lots ?? []).length === 0) return REQUIRED;
  const complete = required.size === givenCodes.size && [...required].every((code) => givenCodes.has(code));
  return complete ? NO_FAULTS : ['All features parameters is required.'];
}

function requiredCodes(bid: BidInput, tender: TenderFacts): ReadonlySet<string> {
  const features = tender.features ?? [];
  if ((tender.lots ?? []).length === 0) return new Set(features.map((feature) => feature.code));
  const bidLots = new Set((bid.lotValues ?? []).map((lotValue) => lotValue.relatedLot));
  const items = (tender.items ?? []).filter((item) => item.relatedLot !== undefined && bidLots.has(item.relatedLot));
  const bidItems = new Set(items.map((item) => item.id));
  const applicable = features.filter(
    ({ featureOf, relatedItem }) =>
      featureOf === 'tenderer' ||
      (relatedItem !== undefined && (featureOf === 'lot' ? bidLots : bidItems).has(relatedItem)),
  );
  return new Set(applicable.map((feature) => feature.code));
}
