import type { Tender } from '@procurement/client';
import { isSigned } from './contract.ts';

export const STEPS = ['enquiries', 'tendering', 'auction', 'qualification', 'standstill', 'contract'] as const;
export type Step = (typeof STEPS)[number];
export type StepState = 'done' | 'current' | 'ahead' | 'skipped' | 'stopped' | 'never';

/** A step of a tender's life: its state, and when it began and ends, or ended, where that is known. */
export interface LifeStep {
  readonly step: Step;
  readonly state: StepState;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** A tender that has an auction shows its method of submission (rulings R44). */
export function hasAuction({ submissionMethod }: Tender): boolean {
  return submissionMethod !== undefined;
}

/** The steps of a tender's life as a reader sees them at `now` (portal.md 5.3): six, or five without an auction. */
export function lifeLine(tender: Tender, now: string): readonly LifeStep[] {
  const { enquiryPeriod, tenderPeriod, awardPeriod, awards = [] } = tender;
  const auctions = auctionPeriods(tender);
  const ofDecisions = latest(awards.flatMap(({ complaintPeriod }) => complaintPeriod?.endDate ?? []));
  const reached = STEPS.indexOf(reachedStep(tender, now, ofDecisions));
  // While bids are considered, that of an earlier decision says nothing: the next decision begins another.
  const standstill = reached <= STEPS.indexOf('qualification') ? undefined : ofDecisions;
  const signed = (tender.contracts ?? []).filter(isSigned);
  const periods: Readonly<Record<Step, { from?: string | undefined; until?: string | undefined }>> = {
    enquiries: { from: enquiryPeriod?.startDate, until: enquiryPeriod?.endDate },
    tendering: { from: tenderPeriod?.startDate ?? enquiryPeriod?.endDate, until: tenderPeriod?.endDate },
    auction: {
      from: earliest(auctions.flatMap(({ startDate }) => startDate ?? [])),
      until: latest(auctions.flatMap(({ endDate }) => endDate ?? [])),
    },
    qualification: { from: awardPeriod?.startDate, until: awardPeriod?.endDate },
    standstill: { from: awardPeriod?.endDate, until: standstill },
    contract: { from: standstill, until: latest(signed.map(({ dateSigned, date }) => dateSigned ?? date)) },
  };
  const atReached = STATE_AT_END[tender.status] ?? 'current';
  const steps = STEPS.map((step, n): LifeStep => {
    const later = atReached === 'stopped' ? 'never' : 'ahead';
    const state = n < reached ? 'done' : n > reached ? later : atReached;
    const isSkipped = step === 'auction' && state === 'done' && periods.auction.from === undefined;
    return { step, ...periods[step], state: isSkipped ? 'skipped' : state };
  });
  return hasAuction(tender) ? steps : steps.filter(({ step }) => step !== 'auction');
}

const STATE_AT_END: Readonly<Record<string, StepState>> = {
  unsuccessful: 'stopped',
  cancelled: 'stopped',
  complete: 'done',
};

const STEP_OF_STATUS: Readonly<Record<string, Step>> = {
  'active.enquiries': 'enquiries',
  'active.tendering': 'tendering',
  'active.auction': 'auction',
  'active.qualification': 'qualification',
  complete: 'contract',
};

function reachedStep(tender: Tender, now: string, standstill: string | undefined): Step {
  const { status, awards = [] } = tender;
  if (status === 'active.awarded') return isBefore(now, standstill) ? 'standstill' : 'contract';
  if (status === 'unsuccessful') return awards.length === 0 ? 'tendering' : 'standstill';
  if (status === 'cancelled') return stepAtCancellation(tender, standstill);
  return STEP_OF_STATUS[status] ?? 'enquiries';
}

function stepAtCancellation(tender: Tender, standstill: string | undefined): Step {
  const { date, enquiryPeriod, tenderPeriod, awardPeriod, awards = [] } = tender;
  if (awardPeriod?.endDate !== undefined) return isBefore(date, standstill) ? 'standstill' : 'contract';
  if (awards.length > 0 || awardPeriod?.startDate !== undefined) return 'qualification';
  if (hasPassed(tenderPeriod?.endDate, date)) return hasAuction(tender) ? 'auction' : 'qualification';
  return hasPassed(tenderPeriod?.startDate ?? enquiryPeriod?.endDate, date) ? 'tendering' : 'enquiries';
}

/** Periods of the auctions that are planned or were held: of the tender, or of its lots. */
export function auctionPeriods({
  auctionPeriod,
  lots = [],
}: Tender): readonly { startDate?: string; endDate?: string }[] {
  const periods = [auctionPeriod, ...lots.map((lot) => lot.auctionPeriod)];
  return periods.filter((period) => period !== undefined).filter(({ startDate }) => startDate !== undefined);
}

const isBefore = (one: string, other: string | undefined): boolean =>
  other !== undefined && Date.parse(one) < Date.parse(other);
const hasPassed = (instant: string | undefined, at: string): boolean =>
  instant !== undefined && Date.parse(at) >= Date.parse(instant);
const byTime = (texts: readonly string[]): readonly string[] =>
  texts.toSorted((one, other) => Date.parse(one) - Date.parse(other));
const earliest = (texts: readonly string[]): string | undefined => byTime(texts)[0];
export const latest = (texts: readonly string[]): string | undefined => byTime(texts).at(-1);
