import { parseInstant } from '@procurement/contracts/reading/instant';
import type { ErrorEntry } from '@procurement/contracts/problems/problems';
import type { ReadTender } from '@procurement/contracts/resources/tender';
import { featuresError } from './tender.features.ts';

/** A rule between members: the member that the error names, and its text (tenders.md 5.4). */
interface Rule {
  readonly name: keyof ReadTender;
  readonly text: string;
  fails(tender: ReadTender): boolean;
}

const GUARANTEE_CURRENCY = 'lot guarantee currency should be identical to tender guarantee currency';

type Lots = NonNullable<ReadTender['lots']>;

function guaranteesDisagree(lots: Lots): boolean {
  return new Set(lots.flatMap((lot) => (lot.guarantee === undefined ? [] : [lot.guarantee.currency]))).size > 1;
}

/** Checks lots as they were sent, before `withLotTotals` gives all of them one currency (tenders.md 6.3). */
export function lotErrors(lots: Lots): readonly ErrorEntry[] {
  return guaranteesDisagree(lots) ? [{ location: 'body', name: 'lots', description: [GUARANTEE_CURRENCY] }] : [];
}

/** Rules in the order in which they are checked. Only the first failing rule of a member is reported. */
const RULES: readonly Rule[] = [
  {
    name: 'minimalStep',
    text: 'value should be less than value of tender',
    fails: ({ value, minimalStep }) => bothAndDisagree(value, minimalStep, (whole, step) => step.amount > whole.amount),
  },
  {
    name: 'minimalStep',
    text: 'currency should be identical to currency of value of tender',
    fails: ({ value, minimalStep }) =>
      bothAndDisagree(value, minimalStep, (whole, step) => step.currency !== whole.currency),
  },
  {
    name: 'minimalStep',
    text: 'valueAddedTaxIncluded should be identical to valueAddedTaxIncluded of value of tender',
    fails: ({ value, minimalStep }) =>
      bothAndDisagree(value, minimalStep, (whole, step) => step.valueAddedTaxIncluded !== whole.valueAddedTaxIncluded),
  },
  {
    name: 'tenderPeriod',
    text: 'period should begin after enquiryPeriod',
    fails: ({ tenderPeriod, enquiryPeriod }) => isBefore(tenderPeriod?.startDate, enquiryPeriod?.endDate),
  },
  {
    name: 'awardPeriod',
    text: 'period should begin after auctionPeriod',
    fails: ({ awardPeriod, auctionPeriod }) => isBefore(awardPeriod?.startDate, auctionPeriod?.endDate),
  },
  {
    name: 'awardPeriod',
    text: 'period should begin after tenderPeriod',
    fails: ({ awardPeriod, tenderPeriod }) => isBefore(awardPeriod?.startDate, tenderPeriod?.endDate),
  },
  {
    name: 'items',
    text: 'CPV group of items be identical',
    fails: ({ items = [] }) => isPharmaceutical(items) && !shareCodePrefix(items, 3),
  },
  {
    name: 'items',
    text: 'CPV class of items should be identical',
    fails: ({ items = [] }) => !isPharmaceutical(items) && !shareCodePrefix(items, 4),
  },
  {
    name: 'lots',
    text: GUARANTEE_CURRENCY,
    fails: ({ lots = [] }) => guaranteesDisagree(lots),
  },
  {
    name: 'auctionUrl',
    text: 'url should be posted for each lot',
    fails: ({ auctionUrl, lots = [] }) => auctionUrl !== undefined && lots.length > 0,
  },
];

/** The errors between members of a whole tender. */
export function crossMemberErrors(tender: ReadTender): readonly ErrorEntry[] {
  const errors = new Map<string, string>();
  for (const rule of RULES) if (!errors.has(rule.name) && rule.fails(tender)) errors.set(rule.name, rule.text);
  const features = featuresError(tender);
  if (features !== undefined) errors.set('features', features);
  return [...errors].map(([name, text]) => ({ location: 'body', name, description: [text] }));
}

/** Checked after the default start was set: an enquiry period that ends in the past begins after its end. */
export function periodErrors(tender: ReadTender): readonly ErrorEntry[] {
  const names = ['enquiryPeriod', 'tenderPeriod'] as const;
  return names.flatMap((name) => {
    const { startDate, endDate } = tender[name] ?? {};
    if (startDate === undefined || endDate === undefined || parseInstant(startDate) <= parseInstant(endDate)) return [];
    const description = { startDate: ['period should begin before its end'] };
    // The end is what the client sent: the start is often the time of the request, or the end of the period before.
    return [{ location: 'body', name, description, pointer: `/data/${name}/endDate` }];
  });
}

type Money = NonNullable<ReadTender['value']>;

/** False when the value or the step is missing. */
function bothAndDisagree(
  value: Money | undefined,
  step: Money | undefined,
  disagree: (value: Money, step: Money) => boolean,
): boolean {
  return value !== undefined && step !== undefined && disagree(value, step);
}

function isBefore(earlier: string | undefined, later: string | undefined): boolean {
  return earlier !== undefined && later !== undefined && parseInstant(earlier) < parseInstant(later);
}

type Items = NonNullable<ReadTender['items']>;

/** Items of group 336 (medicines) need the same group (3 digits), all others the same class (4 digits; tenders.md 6.1). */
function isPharmaceutical(items: Items): boolean {
  return items[0]?.classification.id.startsWith('336') ?? false;
}

function shareCodePrefix(items: Items, digits: number): boolean {
  return new Set(items.map((item) => item.classification.id.slice(0, digits))).size <= 1;
}
