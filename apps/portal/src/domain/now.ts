import type { Tender } from '@procurement/client';
import { isSigned } from './contract.ts';
import { auctionPeriods, latest } from './life-line.ts';

/** What fills the braces of a sentence: instants to show, an amount, a count, or a text of the tender. */
export interface NowValues {
  readonly left?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly date?: string | undefined;
  readonly amount?: { readonly amount: number; readonly currency: string } | undefined;
  readonly n?: number;
  readonly reason?: string;
  readonly code?: string;
}

/** The sentence of what happens now: its key in `now` of words.json, and its values. */
export interface NowSentence {
  readonly key: string;
  readonly values: NowValues;
}

/** Complaints in these states hold a contract back (tenders.md 9). */
const BLOCKING: ReadonlySet<string> = new Set(['claim', 'answered', 'pending']);

type Decide = (tender: Tender, nowMs: number) => NowSentence;

const BY_STATUS: Readonly<Record<string, Decide>> = {
  draft: () => ({ key: 'draft', values: {} }),
  'active.enquiries': ({ enquiryPeriod, tenderPeriod }) => {
    const end = enquiryPeriod?.endDate;
    if (end === undefined) return { key: 'active.enquiries open', values: {} };
    return { key: 'active.enquiries', values: { left: end, end, start: tenderPeriod?.startDate ?? end } };
  },
  'active.tendering': ({ tenderPeriod }) => {
    const end = tenderPeriod?.endDate;
    if (end === undefined) return { key: 'active.tendering open', values: {} };
    return { key: 'active.tendering', values: { left: end, end } };
  },
  'active.auction': (tender, nowMs) => {
    const starts = auctionPeriods(tender).flatMap(({ startDate }) => startDate ?? []);
    const next = starts.toSorted((one, other) => Date.parse(one) - Date.parse(other))[0];
    if (next === undefined) return { key: 'active.auction', values: {} };
    const isAhead = Date.parse(next) > nowMs;
    return { key: `active.auction ${isAhead ? 'planned' : 'running'}`, values: { start: next } };
  },
  'active.qualification': () => ({ key: 'active.qualification', values: {} }),
  'active.awarded': (tender, nowMs) => {
    const waiting = complaintsOf(tender).filter(({ status }) => BLOCKING.has(status)).length;
    if (waiting > 0) return { key: 'active.awarded complaints', values: { n: waiting } };
    const end = standstillEnd(tender);
    const isOver = end === undefined || Date.parse(end) <= nowMs;
    return isOver ? { key: 'active.awarded after', values: {} } : { key: 'active.awarded', values: { end } };
  },
  complete: (tender) => ({
    key: 'complete',
    values: {
      date: latest(selectSigned(tender).map(({ dateSigned, date }) => dateSigned ?? date)),
      amount: sumContracts(tender),
    },
  }),
  unsuccessful: ({ awards = [], bids = [] }) => {
    if (awards.length === 0 && bids.length === 0) return { key: 'unsuccessful none', values: {} };
    const isRejected = awards.length > 0 && awards.every(({ status }) => status === 'unsuccessful');
    return { key: isRejected ? 'unsuccessful rejected' : 'unsuccessful', values: {} };
  },
  cancelled: ({ cancellations = [] }) => {
    const inForce = cancellations.find(({ status, cancellationOf }) => status === 'active' && cancellationOf !== 'lot');
    return { key: 'cancelled', values: { date: inForce?.date, reason: inForce?.reason ?? '' } };
  },
};

/** Decides what a reader should know first about a tender (portal.md 5.3). */
export function nowSentence(tender: Tender, nowMs: number): NowSentence {
  const decide = Object.hasOwn(BY_STATUS, tender.status) ? BY_STATUS[tender.status] : undefined;
  return decide?.(tender, nowMs) ?? { key: 'unknown', values: { code: tender.status } };
}

/** Complaints about the tender and about its awards. */
export function complaintsOf({ complaints = [], awards = [] }: Tender): NonNullable<Tender['complaints']> {
  return [...complaints, ...awards.flatMap((award) => award.complaints ?? [])];
}

function selectSigned({ contracts = [] }: Tender): NonNullable<Tender['contracts']> {
  return contracts.filter(isSigned);
}

/** The sum of the signed contracts; undefined without one, or when their currencies differ. */
export function sumContracts(tender: Tender): { readonly amount: number; readonly currency: string } | undefined {
  const values = selectSigned(tender).flatMap(({ value }) => value ?? []);
  const [first] = values;
  if (first === undefined || values.some(({ currency }) => currency !== first.currency)) return undefined;
  let kopecks = 0;
  // Amounts are decimal: a sum of doubles would show 0.30000000000000004.
  for (const { amount } of values) kopecks += Math.round(amount * 100);
  return { amount: values.length === 1 ? first.amount : kopecks / 100, currency: first.currency };
}

/** When the last stand-still ends; undefined without an award. */
export function standstillEnd({ awards = [] }: Tender): string | undefined {
  return latest(awards.flatMap(({ complaintPeriod }) => complaintPeriod?.endDate ?? []));
}
