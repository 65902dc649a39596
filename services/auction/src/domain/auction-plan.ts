import {
  addMicros,
  daysLater,
  HOUR,
  instantAt,
  isWeekend,
  MINUTE,
  SECOND,
  wallTime,
  type Instant,
  type LocalDate,
} from '@procurement/contracts/reading/instant';
import type { Calendar } from '@procurement/domain/calendar';

/** Times of day are minutes since local midnight. */
export interface PlanSettings {
  /** Start of the first half hour of a day. */
  readonly dayStartMinute: number;
  /** No half hour starts at this time or later. */
  readonly dayEndMinute: number;
  /** Number of concurrent auctions. */
  readonly streams: number;
  /** Maximum random delay of a start within its half hour; less than 1800. */
  readonly randomSecondsMax: number;
  /** Test beds: exact delay of a quick auction after `shouldStartAfter`. */
  readonly quickSeconds?: number | undefined;
  readonly calendar: Calendar;
}

/** A half hour of one stream. */
export interface Slot {
  readonly day: LocalDate;
  /** Starts at 1. */
  readonly stream: number;
  readonly minute: number;
}

/** The planned start and its slot; a quick auction has no slot. */
export interface Plan {
  readonly start: Instant;
  readonly slot?: Slot;
}

export interface PlanRequest {
  readonly shouldStartAfter: Instant;
  /** Tender time. */
  readonly now: Instant;
  readonly quick: boolean;
}

/** Keys (`slotKey`) of the taken slots of one day and one plan mode. */
export type TakenSlots = ReadonlySet<string>;

/** Whole seconds from 0 to `max`, both included. */
export type RandomSeconds = (max: number) => number;

export const SLOT_MINUTES = 30;

/** The key of a slot within one day. */
export function slotKey({ stream, minute }: Pick<Slot, 'stream' | 'minute'>): string {
  return `${stream}/${minute}`;
}

/**
 * Finds a start for one auction (tenders.md 9.3, bids-awards-auction.md 2.10). Yields one day after the other and expects the
 * taken slots of that day, until a day has a free slot; returns the plan. A quick auction yields no day and takes no slot.
 * The start is always after `shouldStartAfter` and after `now`.
 */
export function* planAuction(
  request: PlanRequest,
  settings: PlanSettings,
  random: RandomSeconds,
): Generator<LocalDate, Plan, TakenSlots> {
  const from = request.shouldStartAfter > request.now ? request.shouldStartAfter : request.now;
  if (request.quick) return { start: quickStart(from, settings, random) };
  for (let day = firstDay(from, settings); ; day = auctionDay(daysLater(day, 1), settings.calendar)) {
    const slot = freeSlot(day, yield day, settings);
    if (slot === undefined) continue;
    return { slot, start: addMicros(slotStart(slot), random(settings.randomSecondsMax) * SECOND) };
  }
}

/**
 * Whether a start lies in the half hour: from its first instant, included, to its last, excluded. Release 2.3 freed a slot
 * whose random part was 0 (bids-awards-auction.md 2.10).
 */
export function isWithinSlot(start: Instant, slot: Slot): boolean {
  const startsAt = slotStart(slot);
  return start >= startsAt && start < startsAt + SLOT_MINUTES * MINUTE;
}

function slotStart({ day, minute }: Slot): Instant {
  return instantAt(day, minute * MINUTE);
}

/** Twelve minutes later, rounded up to a quarter of an hour, plus a random part; or after `quickSeconds` exactly. */
function quickStart(from: Instant, settings: PlanSettings, random: RandomSeconds): Instant {
  if (settings.quickSeconds !== undefined) return addMicros(from, settings.quickSeconds * SECOND);
  const ready = from + 12 * MINUTE;
  const quarter = Math.ceil(ready / (15 * MINUTE)) * 15 * MINUTE;
  return addMicros(from, quarter - from + random(settings.randomSecondsMax) * SECOND);
}

/** The day of `from` if it is earlier than one hour before the first half hour, else the next auction day. */
function firstDay(from: Instant, { dayStartMinute, calendar }: PlanSettings): LocalDate {
  const { date, timeOfDay } = wallTime(addMicros(from, HOUR));
  return auctionDay(timeOfDay < dayStartMinute * MINUTE ? date : daysLater(date, 1), calendar);
}

/** The first auction day from `from` on; never a weekend, even a working one (bids-awards-auction.md 2.10). */
function auctionDay(from: LocalDate, { daysOff }: Calendar): LocalDate {
  let day = from;
  while (isWeekend(day) || daysOff.has(day)) day = daysLater(day, 1);
  return day;
}

/**
 * The earliest free half hour of the lowest stream. Days are filled in this order, so a gap before the last taken slot is a
 * freed slot, which is reused first (bids-awards-auction.md 2.10).
 */
function freeSlot(day: LocalDate, taken: TakenSlots, settings: PlanSettings): Slot | undefined {
  for (let stream = 1; stream <= settings.streams; stream += 1) {
    for (let minute = settings.dayStartMinute; minute < settings.dayEndMinute; minute += SLOT_MINUTES) {
      if (!taken.has(slotKey({ stream, minute }))) return { day, stream, minute };
    }
  }
  return undefined;
}
