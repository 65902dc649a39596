import { z } from 'zod';
import {
  daysLater,
  instantAt,
  isWeekend,
  wallTime,
  type Instant,
  type LocalDate,
} from '@procurement/contracts/reading/instant';

/** The days on which the calendar of a country differs from Monday to Friday. */
export interface Calendar {
  /** Holidays, and weekdays whose work was moved to a weekend. */
  readonly daysOff: ReadonlySet<LocalDate>;
  /** Saturdays and Sundays that are working days. */
  readonly workdays: ReadonlySet<LocalDate>;
}

/** Monday to Friday, every week. */
export const NO_HOLIDAYS: Calendar = { daysOff: new Set(), workdays: new Set() };

// Strict: a misspelt member would silently make every holiday a working day.
const CalendarFile = z.strictObject({
  daysOff: z.array(z.iso.date()).default([]),
  workdays: z.array(z.iso.date()).default([]),
});

/**
 * Reads a calendar file: `{"daysOff": ["2026-01-01"], "workdays": ["2026-01-10"]}`. Throws on any other text, because a
 * deployment with half a calendar would compute wrong dates.
 */
export function readCalendar(text: string): Calendar {
  const { daysOff, workdays } = CalendarFile.parse(JSON.parse(text));
  return { daysOff: new Set(daysOff), workdays: new Set(workdays) };
}

/**
 * Monday to Friday except `daysOff`, and the Saturdays and Sundays of `workdays`. `daysOff` wins (bids-awards-auction.md 3.5).
 */
export function isWorkingDay(date: LocalDate, calendar: Calendar): boolean {
  if (calendar.daysOff.has(date)) return false;
  return !isWeekend(date) || calendar.workdays.has(date);
}

/**
 * Adds working days (bids-awards-auction.md 3.5). A start on a day off first moves to 00:00 of the next working day. The local
 * time of day stays the same, also across a change of daylight saving time.
 */
export function addWorkingDays(from: Instant, days: number, calendar: Calendar): Instant {
  const start = wallTime(from);
  const startsOnWorkingDay = isWorkingDay(start.date, calendar);
  let date = startsOnWorkingDay ? start.date : nextWorkingDay(start.date, calendar);
  for (let day = 0; day < days; day += 1) date = nextWorkingDay(date, calendar);
  return instantAt(date, startsOnWorkingDay ? start.timeOfDay : 0);
}

function nextWorkingDay(date: LocalDate, calendar: Calendar): LocalDate {
  let next = daysLater(date, 1);
  while (!isWorkingDay(next, calendar)) next = daysLater(next, 1);
  return next;
}
