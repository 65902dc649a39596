import { z } from 'zod';
import {
  daysLater,
  instantAt,
  isWeekend,
  wallTime,
  type Instant,
  type LocalDate,
} from '@procurement/contracts/reading/instant';

/** Where the calendar of a country differs from Monday to Friday. */
export interface Calendar {
  /** Holidays, and working days moved elsewhere. */
  readonly daysOff: ReadonlySet<LocalDate>;
  /** Saturdays and Sundays that are worked. */
  readonly workdays: ReadonlySet<LocalDate>;
}

/** Monday to Friday, every week. */
export const NO_HOLIDAYS: Calendar = { daysOff: new Set(), workdays: new Set() };

// Unknown members are refused: a misspelt one would silently make every holiday a working day.
const CalendarFile = z.strictObject({
  daysOff: z.array(z.iso.date()).default([]),
  workdays: z.array(z.iso.date()).default([]),
});

/**
 * Reads the text of a calendar file: `{"daysOff": ["2026-01-01"], "workdays": ["2026-01-10"]}`. Throws when it is not one:
 * a deployment with half a calendar would compute wrong dates.
 */
export function readCalendar(text: string): Calendar {
  const { daysOff, workdays } = CalendarFile.parse(JSON.parse(text));
  return { daysOff: new Set(daysOff), workdays: new Set(workdays) };
}

/**
 * A day is worked unless the calendar has it off, or it is a Saturday or Sunday that the calendar does not list as worked
 * (bids-awards-auction.md 3.5).
 */
export function isWorkingDay(date: LocalDate, calendar: Calendar): boolean {
  if (calendar.daysOff.has(date)) return false;
  return !isWeekend(date) || calendar.workdays.has(date);
}

/**
 * So many working days later (bids-awards-auction.md 3.5). A start on a day off first moves to 00:00 of the next working day;
 * then one day forward at a time, over days off, keeping the time that the clock on the wall shows.
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
