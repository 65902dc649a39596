import type { ErrorEntry } from '@procurement/contracts/problems';
import type { BidInput } from '@procurement/contracts/resources/bid';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Value } from '@procurement/contracts/resources/value';

type LotFacts = NonNullable<TenderFacts['lots']>[number];

/**
 * How a bid must fit the tender's terms (bids-awards-auction.md 1.3): one entry per failing member, the first rule that
 * fails in each. An empty list means that it fits.
 */
export function termsErrors(bid: BidInput, tender: TenderFacts): readonly ErrorEntry[] {
  const lots = tender.lots ?? [];
  const faults = {
    value: lots.length === 0 ? valueFault(bid, tender) : lottedValueFault(bid),
    lotValues: lots.length === 0 ? undefined : lotValuesFault(bid, lots),
    parameters: parametersFault(bid, tender),
  };
  return Object.entries(faults).flatMap(([name, fault]) =>
    fault === undefined ? [] : [{ location: 'body', name, description: [fault] }],
  );
}

type Fault = ErrorEntry['description'] | undefined;

function valueFault(bid: BidInput, tender: TenderFacts): Fault {
  if (bid.value === undefined) return 'This field is required.';
  return tender.value === undefined ? undefined : moneyFault(bid.value, tender.value, 'tender');
}

function lottedValueFault(bid: BidInput): Fault {
  return bid.value === undefined ? undefined : 'value should be posted for each lot of bid';
}

/** The three rules in the order amount, currency, VAT. */
function moneyFault(value: Value, limit: Value, of: 'tender' | 'lot'): string | undefined {
  if (value.amount > limit.amount) return `value of bid should be less than value of ${of}`;
  if (value.currency !== limit.currency) return `currency of bid should be identical to currency of value of ${of}`;
  if (value.valueAddedTaxIncluded !== limit.valueAddedTaxIncluded) {
    return `valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of ${of}`;
  }
  return undefined;
}

function lotValuesFault(bid: BidInput, lots: readonly LotFacts[]): Fault {
  const lotValues = bid.lotValues ?? [];
  if (lotValues.length === 0) return 'This field is required.';
  for (const lotValue of lotValues) {
    const lot = lots.find((candidate) => candidate.id === lotValue.relatedLot);
    if (lot === undefined) return { relatedLot: ['relatedLot should be one of lots'] };
    const fault = lot.value === undefined ? undefined : moneyFault(lotValue.value, lot.value, 'lot');
    if (fault !== undefined) return { value: [fault] };
  }
  const named = lotValues.map((lotValue) => lotValue.relatedLot);
  return new Set(named).size < named.length ? "bids don't allow duplicated proposals" : undefined;
}

/** Every feature that concerns the bid is answered exactly once, with one of its options. */
function parametersFault(bid: BidInput, tender: TenderFacts): Fault {
  const features = tender.features ?? [];
  const parameters = bid.parameters ?? [];
  for (const parameter of parameters) {
    const feature = features.find((candidate) => candidate.code === parameter.code);
    if (feature === undefined) return { code: ['code should be one of feature code.'] };
    const options = feature.enum.map((option) => option.value);
    if (!options.includes(parameter.value)) return { value: ['value should be one of feature value.'] };
  }
  const given = new Set(parameters.map((parameter) => parameter.code));
  if (given.size < parameters.length) return 'Parameter code should be uniq for all parameters';
  const required = requiredCodes(bid, tender);
  if (required.size > 0 && parameters.length === 0) return 'This field is required.';
  const complete = required.size === given.size && [...required].every((code) => given.has(code));
  return complete ? undefined : 'All features parameters is required.';
}

function requiredCodes(bid: BidInput, tender: TenderFacts): ReadonlySet<string> {
  const features = tender.features ?? [];
  if ((tender.lots ?? []).length === 0) return new Set(features.map((feature) => feature.code));
  const bidLots = new Set((bid.lotValues ?? []).map((lotValue) => lotValue.relatedLot));
  const items = (tender.items ?? []).filter((item) => item.relatedLot !== undefined && bidLots.has(item.relatedLot));
  const bidItems = new Set(items.map((item) => item.id));
  const concerned = features.filter(
    ({ featureOf, relatedItem }) =>
      featureOf === 'tenderer' ||
      (relatedItem !== undefined && (featureOf === 'lot' ? bidLots : bidItems).has(relatedItem)),
  );
  return new Set(concerned.map((feature) => feature.code));
}
