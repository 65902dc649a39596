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

/** How auctions are laid over days. Times of day are minutes since local midnight. */
export interface PlanSettings {
  /** The first half hour of a day begins then. */
  readonly dayStartMinute: number;
  /** No half hour begins then or later. */
  readonly dayEndMinute: number;
  /** How many auctions may run at a time. */
  readonly streams: number;
  /** An auction begins up to so many seconds into its half hour; less than 1800. */
  readonly randomSecondsMax: number;
  /** Test beds: a quick auction begins exactly so long after it may. */
  readonly quickSeconds?: number | undefined;
  readonly calendar: Calendar;
}

/** A half hour of one stream. */
export interface Slot {
  readonly day: LocalDate;
  /** From 1 on. */
  readonly stream: number;
  readonly minute: number;
}

/** The answer of the planner: when the auction begins and, unless it is a quick one, which half hour it takes. */
export interface Plan {
  readonly start: Instant;
  readonly slot?: Slot;
}

export interface PlanRequest {
  readonly shouldStartAfter: Instant;
  /** In the time that the tender lives in. */
  readonly now: Instant;
  readonly quick: boolean;
}

/** Keys (`placeKey`) of what is taken on one day, of one plan. */
export type TakenSlots = ReadonlySet<string>;

/** Whole seconds from 0 to `max`, both possible. */
export type RandomSeconds = (max: number) => number;

export const SLOT_MINUTES = 30;

/** Tells the places of one day apart. */
export function slotKey({ stream, minute }: Pick<Slot, 'stream' | 'minute'>): string {
  return `${stream}/${minute}`;
}

/**
 * Finds a start for one auction (tenders.md 9.3, bids-awards-auction.md 2.10). Asks, one day after the other, for what is
 * taken on that day, until one has room; the last value is the plan. A quick auction asks nothing and takes no place.
 * The start is always later than `shouldStartAfter` and than `now`.
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
 * Whether a start lies in the half hour. Decision: its first moment belongs to it (2.3 freed a place whose random part was
 * 0), and the moment in which it ends is the next one's.
 */
export function isWithinSlot(start: Instant, slot: Slot): boolean {
  const startsAt = slotStart(slot);
  return start >= startsAt && start < startsAt + SLOT_MINUTES * MINUTE;
}

function slotStart({ day, minute }: Slot): Instant {
  return instantAt(day, minute * MINUTE);
}

/** Twelve minutes to prepare, on to the quarter of an hour, and a random part; or what the test bed wants. */
function quickStart(from: Instant, settings: PlanSettings, random: RandomSeconds): Instant {
  if (settings.quickSeconds !== undefined) return addMicros(from, settings.quickSeconds * SECOND);
  const ready = from + 12 * MINUTE;
  const quarter = Math.ceil(ready / (15 * MINUTE)) * 15 * MINUTE;
  return addMicros(from, quarter - from + random(settings.randomSecondsMax) * SECOND);
}

/** That day if an hour from now its auctions have not begun yet, else the next one that has auctions. */
function firstDay(from: Instant, { dayStartMinute, calendar }: PlanSettings): LocalDate {
  const { date, timeOfDay } = wallTime(addMicros(from, HOUR));
  return auctionDay(timeOfDay < dayStartMinute * MINUTE ? date : daysLater(date, 1), calendar);
}

/** The same day or the next that has auctions: never on a weekend, even one that the calendar says is worked (2.10). */
function auctionDay(from: LocalDate, { daysOff }: Calendar): LocalDate {
  let day = from;
  while (isWeekend(day) || daysOff.has(day)) day = daysLater(day, 1);
  return day;
}

/**
 * The first stream's earliest free half hour, then the second stream's. Since a day is filled in this very order, whatever is
 * free before the last place taken has been freed: it is reused first without keeping a list of freed places.
 */
function freeSlot(day: LocalDate, taken: TakenSlots, settings: PlanSettings): Slot | undefined {
  for (let stream = 1; stream <= settings.streams; stream += 1) {
    for (let minute = settings.dayStartMinute; minute < settings.dayEndMinute; minute += SLOT_MINUTES) {
      if (!taken.has(slotKey({ stream, minute }))) return { day, stream, minute };
    }
  }
  return undefined;
}
