import { instantOf } from '@procurement/contracts/reading/instant';
import type { ErrorEntry } from '@procurement/contracts/problems/problems';
import type { ReadTender } from '@procurement/contracts/resources/tender';
import { featuresError } from './tender.features.ts';

/** One rule between members: which member it blames, and with what words (tenders.md 5.4). */
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

/** The same for lots as they were sent, before all of them are shown in one currency (tenders.md 6.3). */
export function lotErrors(lots: Lots): readonly ErrorEntry[] {
  return guaranteesDisagree(lots) ? [{ location: 'body', name: 'lots', description: [GUARANTEE_CURRENCY] }] : [];
}

/** In the order in which they are tried; of the rules of one member only the first failing one is told. */
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

/** The faults between members of a whole tender; empty when there are none. */
export function crossMemberErrors(tender: ReadTender): readonly ErrorEntry[] {
  const errors = new Map<string, string>();
  for (const rule of RULES) if (!errors.has(rule.name) && rule.fails(tender)) errors.set(rule.name, rule.text);
  const features = featuresError(tender);
  if (features !== undefined) errors.set('features', features);
  return [...errors].map(([name, text]) => ({ location: 'body', name, description: [text] }));
}

/** With its start filled in, a period may turn out to end before it begins: an enquiry period that is over already. */
export function periodErrors(tender: ReadTender): readonly ErrorEntry[] {
  const names = ['enquiryPeriod', 'tenderPeriod'] as const;
  return names.flatMap((name) => {
    const { startDate, endDate } = tender[name] ?? {};
    if (startDate === undefined || endDate === undefined || instantOf(startDate) <= instantOf(endDate)) return [];
    return [{ location: 'body', name, description: { startDate: ['period should begin before its end'] } }];
  });
}

type Money = NonNullable<ReadTender['value']>;

/** Where there is no value, or no step, they cannot disagree. */
function bothAndDisagree(
  value: Money | undefined,
  step: Money | undefined,
  disagree: (value: Money, step: Money) => boolean,
): boolean {
  return value !== undefined && step !== undefined && disagree(value, step);
}

function isBefore(earlier: string | undefined, later: string | undefined): boolean {
  return earlier !== undefined && later !== undefined && instantOf(earlier) < instantOf(later);
}

type Items = NonNullable<ReadTender['items']>;

/** Medicines may be bought across classes: their group, the first three digits, must agree (tenders.md 6.1). */
function isPharmaceutical(items: Items): boolean {
  return items[0]?.classification.id.startsWith('336') ?? false;
}

function shareCodePrefix(items: Items, digits: number): boolean {
  return new Set(items.map((item) => item.classification.id.slice(0, digits))).size <= 1;
}
