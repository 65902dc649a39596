import { SECOND, type Instant } from '@procurement/contracts/reading/instant';
import type { Auction } from './auction.ts';
import { preAnnouncementStage, stageKind } from './timetable.ts';

/** An auction that has not begun this long after its start is missed. */
const LATE_MAX = 120 * SECOND;
/** A turn that lost less than this is not lengthened. */
const LOST_MIN = 5 * SECOND;
/** All shifts of an auction together. Beyond that the tender service plans it anew before the report can come. */
export const SHIFTS_SECONDS_MAX = 600;

export type OutageEffect =
  | { readonly effect: 'none' }
  | { readonly effect: 'shift'; readonly from: Instant; readonly until: Instant; readonly seconds: number }
  | { readonly effect: 'missed'; readonly reason: 'late' | 'outage' };

const NONE: OutageEffect = { effect: 'none' };

/**
 * What a time in which no replica worked does to the timetable (auction-room.md 4.4). `auction` is the state at `awayFrom`. An
 * outage that began before the present stage counts from the begin of that stage: the stage has begun, so somebody worked.
 */
export function outageEffect(auction: Auction, awayFrom: Instant, until: Instant): OutageEffect {
  const begun = auction.starts[auction.currentStage] ?? awayFrom;
  // Safe cast: the later of two instants.
  const from = Math.max(awayFrom, begun) as Instant;
  const start = auction.starts[0];
  if (auction.phase === 'planned' && start !== undefined && start + LATE_MAX <= until) {
    return { effect: 'missed', reason: 'late' };
  }
  const lost = lostMicros(auction, from, until);
  if (lost < LOST_MIN) return NONE;
  const seconds = Math.ceil(lost / SECOND);
  const total = seconds + auction.shifts.reduce((sum, shift) => sum + shift.seconds, 0);
  if (total > SHIFTS_SECONDS_MAX) return { effect: 'missed', reason: 'outage' };
  return { effect: 'shift', from, until, seconds };
}

/** Microseconds that turns lost. */
function lostMicros(auction: Auction, from: Instant, until: Instant): number {
  const bidders = auction.bids.length;
  // An auction that has not begun loses time like its opening pause: with accelerated stages the pause may be over.
  const stage = Math.max(auction.currentStage, 0);
  if (stage >= preAnnouncementStage(bidders)) return 0;
  if (stageKind(bidders, stage) === 'bids') return until - from;
  const end = auction.starts[stage + 1];
  return end === undefined ? 0 : until - end;
}
