import { formatLocalDate, instantOf, type Instant } from '@procurement/contracts/reading/instant';
import type { AwardRecord } from '@procurement/contracts/resources/award-facts';
import { complaintReactionMicros } from '@procurement/domain/acceleration';
import { complaintDueAt, type TimedComplaint } from '@procurement/domain/complaint-timeouts';
import { expectedEnd, openAuctions } from './auction-period.ts';
import { blocksTender, blocksLot } from '@procurement/domain/complaint-blocking';
import { competitionUnits } from '@procurement/domain/lots';
import type { TenderParts, TenderSettings } from './tender.ts';

/**
 * An instant from which on the clock has something to do with a tender, and what. Decision: a rule that speaks of more than
 * three days passed is kept at the very instant; the microsecond between is nobody's.
 */
export interface Timer {
  readonly at: Instant;
  readonly why:
    | 'tendering begins'
    | 'tendering ends'
    | 'auction begins'
    | 'auction is overdue'
    | 'stand-still ends'
    | 'complaint moves'
    | 'contract is missing';
  /** Another service acts at it, or has been called upon to: shown in next_check, not run here. */
  readonly byOtherService?: true;
}

/** All of them, by status (tenders.md 9.1). No deadline is written a second time anywhere. */
export function timers(tender: TenderParts, now: Instant, settings: TenderSettings): readonly Timer[] {
  const { status } = tender.document;
  if (!status.startsWith('active.')) return [];
  return [...statusTimers(tender, now, settings), ...complaintTimers(tender, now, settings), ...awardTimers(tender)];
}

function statusTimers(tender: TenderParts, now: Instant, settings: TenderSettings): readonly Timer[] {
  const { status, enquiryPeriod, tenderPeriod } = tender.document;
  switch (status) {
    case 'active.enquiries':
      return timerAt(tenderPeriod?.startDate ?? enquiryPeriod?.endDate, { why: 'tendering begins' });
    case 'active.tendering': {
      const announced = tender.bidding.phase === 'open' ? {} : ({ byOtherService: true } as const);
      return timerAt(tenderPeriod?.endDate, { why: 'tendering ends', ...announced });
    }
    case 'active.auction':
      return openAuctions(tender).flatMap(({ period, bids }) => auctionTimers(period.startDate, bids, now));
    case 'active.qualification':
    case 'active.awarded':
      return standStillTimers(tender, settings);
    default:
      return [];
  }
}

/** A tender of generation 0.1 may lack the end of a period: then nothing is due (tenders.md 3.2). */
function timerAt(date: string | undefined, timer: Omit<Timer, 'at'>): readonly Timer[] {
  return date === undefined ? [] : [{ at: instantOf(date), ...timer }];
}

/** Its beginning while that is ahead, then its expected end; both change what is shown, and a missed one is planned anew. */
function auctionTimers(startDate: string | undefined, bids: number, now: Instant): readonly Timer[] {
  if (startDate === undefined) return [];
  const start = instantOf(startDate);
  if (start > now) return [{ at: start, why: 'auction begins' }];
  const end = expectedEnd(start, bids);
  return end > now ? [{ at: end, why: 'auction is overdue' }] : [];
}

/** The last award of a lot, or of a tender without lots, was unsuccessful: when nobody can complain of it any more. */
function standStillTimers({ document, awards }: TenderParts, { complaintsMode }: TenderSettings): readonly Timer[] {
  const all = awards?.awards ?? [];
  if (blocksTender(document, complaintsMode)) return [];
  const units = competitionUnits(document);
  if (units[0] === undefined && document.status !== 'active.awarded') return [];
  return units.flatMap((lot) => {
    const own = all.filter((award) => award.lotID === lot);
    if (own.at(-1)?.status !== 'unsuccessful' || blocksLot(document, own, lot, complaintsMode)) return [];
    const end = latestStandStill(own);
    return end === undefined ? [] : [{ at: end, why: 'stand-still ends' } as const];
  });
}

/** The end of the last period in which awards may be complained of. */
export function latestStandStill(awards: readonly AwardRecord[]): Instant | undefined {
  const ends = awards.flatMap(({ complaintPeriod }) =>
    complaintPeriod?.endDate === undefined ? [] : [instantOf(complaintPeriod.endDate)],
  );
  // The largest of instants is one of them.
  return ends.length === 0 ? undefined : (Math.max(...ends) as Instant);
}

function complaintTimers(tender: TenderParts, now: Instant, settings: TenderSettings): readonly Timer[] {
  const reactionMicros = complaintReactionMicros(tender.document, settings.sandbox);
  const timersOf = (complaints: readonly TimedComplaint[], more: Pick<Timer, 'byOtherService'>): Timer[] =>
    complaints.flatMap((complaint) => {
      const at = complaintDueAt(complaint, reactionMicros, now, settings.complaintsMode);
      return at === undefined ? [] : [{ at, why: 'complaint moves', ...more }];
    });
  const ofAwards = (tender.awards?.awards ?? []).flatMap((award) => award.complaints ?? []);
  return [...timersOf(tender.document.complaints ?? [], {}), ...timersOf(ofAwards, { byOtherService: true })];
}

/** An active award whose contract is missing is repaired by the service that keeps both. */
function awardTimers({ awards }: TenderParts): readonly Timer[] {
  const withContract = new Set(awards?.contracts.map((contract) => contract.awardID));
  return (awards?.awards ?? [])
    .filter((award) => award.status === 'active' && !withContract.has(award.id))
    .map((award) => ({ at: instantOf(award.date), why: 'contract is missing', byOtherService: true }));
}

/** The earliest timer as clients see it; absent when there is none. */
export function nextCheck(tender: TenderParts, now: Instant, settings: TenderSettings): string | undefined {
  const at = earliest(timers(tender, now, settings));
  return at === undefined ? undefined : formatLocalDate(at);
}

/** The earliest at which this service has to act, in the tender's time. */
export function dueAt(tender: TenderParts, now: Instant, settings: TenderSettings): Instant | undefined {
  return earliest(timers(tender, now, settings).filter((timer) => timer.byOtherService !== true));
}

function earliest(all: readonly Timer[]): Instant | undefined {
  // The smallest of instants is one of them.
  return all.length === 0 ? undefined : (Math.min(...all.map((timer) => timer.at)) as Instant);
}
