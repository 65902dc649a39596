import { formatLocalDate, parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { AwardRecord } from '@procurement/contracts/resources/award-facts';
import { complaintReactionMicros } from '@procurement/domain/acceleration';
import { complaintDueAt, type TimedComplaint } from '@procurement/domain/complaint-timeouts';
import { expectedEnd, openAuctions } from './auction-period.ts';
import { blocksTender, blocksLot } from '@procurement/domain/complaint-blocking';
import { competitionUnits } from '@procurement/domain/lots';
import type { TenderParts, TenderSettings } from './tender.ts';

/** A deadline of a tender (tenders.md 9.1). One after "more than 3 days" is at exactly 3 days. */
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
  /** Another service acts on it, or was requested to: shown in `next_check`, ignored by the scheduler. */
  readonly byOtherService?: true;
}

/** All deadlines of a tender (tenders.md 9.1). `next_check` and the scheduler both read them here. */
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

/** A tender of segment 0.1 may lack the end of a period; then it has no deadline (tenders.md 3.2). */
function timerAt(date: string | undefined, timer: Omit<Timer, 'at'>): readonly Timer[] {
  return date === undefined ? [] : [{ at: parseInstant(date), ...timer }];
}

/** The start while it is in the future, then the expected end. Both change the view; a missed auction is planned again. */
function auctionTimers(startDate: string | undefined, bids: number, now: Instant): readonly Timer[] {
  if (startDate === undefined) return [];
  const start = parseInstant(startDate);
  if (start > now) return [{ at: start, why: 'auction begins' }];
  const end = expectedEnd(start, bids);
  return end > now ? [{ at: end, why: 'auction is overdue' }] : [];
}

/** The end of the complaint periods of a lot, or of a tender without lots, if its last award is unsuccessful. */
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

/** The end of the last complaint period of these awards; `undefined` when none has an end. */
export function latestStandStill(awards: readonly AwardRecord[]): Instant | undefined {
  const ends = awards.flatMap(({ complaintPeriod }) =>
    complaintPeriod?.endDate === undefined ? [] : [parseInstant(complaintPeriod.endDate)],
  );
  // Safe cast: the largest of instants is an instant.
  return ends.length === 0 ? undefined : (Math.max(...ends) as Instant);
}

function complaintTimers(tender: TenderParts, now: Instant, settings: TenderSettings): readonly Timer[] {
  const reactionMicros = complaintReactionMicros(tender.document, settings.sandbox);
  const buildTimers = (complaints: readonly TimedComplaint[], more: Pick<Timer, 'byOtherService'>): Timer[] =>
    complaints.flatMap((complaint) => {
      const at = complaintDueAt(complaint, reactionMicros, now, settings.complaintsMode);
      return at === undefined ? [] : [{ at, why: 'complaint moves', ...more }];
    });
  const ofAwards = (tender.awards?.awards ?? []).flatMap((award) => award.complaints ?? []);
  return [...buildTimers(tender.document.complaints ?? [], {}), ...buildTimers(ofAwards, { byOtherService: true })];
}

/** An active award without a contract: the awards service creates it. */
function awardTimers({ awards }: TenderParts): readonly Timer[] {
  const withContract = new Set(awards?.contracts.map((contract) => contract.awardID));
  return (awards?.awards ?? [])
    .filter((award) => award.status === 'active' && !withContract.has(award.id))
    .map((award) => ({ at: parseInstant(award.date), why: 'contract is missing', byOtherService: true }));
}

/** The earliest deadline in the form of the API; `undefined` when there is none. */
export function nextCheck(tender: TenderParts, now: Instant, settings: TenderSettings): string | undefined {
  const at = earliest(timers(tender, now, settings));
  return at === undefined ? undefined : formatLocalDate(at);
}

/** The earliest deadline that this service acts on, in the tender's time. */
export function dueAt(tender: TenderParts, now: Instant, settings: TenderSettings): Instant | undefined {
  return earliest(timers(tender, now, settings).filter((timer) => timer.byOtherService !== true));
}

function earliest(all: readonly Timer[]): Instant | undefined {
  // Safe cast: the smallest of instants is an instant.
  return all.length === 0 ? undefined : (Math.min(...all.map((timer) => timer.at)) as Instant);
}
