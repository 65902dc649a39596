import { rememberShort } from './remember-short.ts';

/**
 * Whole microseconds since 1970 UTC. Published dates have six digits and decide ties; `Date` has milliseconds only. A double
 * is exact until the year 2255. No rule handles a `Date`, and only the clock of kit reads the time (lint).
 */
export type Instant = number & { readonly unit: 'microseconds since 1970 UTC' };

/** A date that a client sent: the instant, and the text that answers show (tenders.md 11.3). */
export interface ParsedDate {
  readonly instant: Instant;
  /** The date in the client's offset; with microseconds only if they are not zero. */
  readonly text: string;
}

/** Microseconds of a second, and of longer units. */
export const SECOND = 1_000_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const ISO_8601_FORM =
  /^(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Parses ISO 8601 in the forms of tenders.md 11.3. Missing month and day are 01, missing time parts 0; no offset means the
 * service zone; `Z` is answered as `+00:00`. Undefined for other texts, and for days that do not exist or are out of range.
 */
export function parseDateTime(text: string): ParsedDate | undefined {
  const parsed = readDateTime(text);
  return parsed === 'out-of-range' ? undefined : parsed;
}

/**
 * Parses as `parseDateTime` does, but answers `out-of-range` for a valid date that leaves the years 1 to 9999 in UTC, in the
 * service zone or in its own offset.
 */
export function readDateTime(text: string): ParsedDate | 'out-of-range' | undefined {
  return remembered(text);
}

// The dates of an object are read several times for each request. At most 2 MB of memory.
const remembered = rememberShort(convertDateTime, { textsMax: 5_000, charactersMax: 35 });

function convertDateTime(text: string): ParsedDate | 'out-of-range' | undefined {
  const match = ISO_8601_FORM.exec(text);
  if (match === null || /^\d{6}(?!-|\d)/.test(text)) return undefined;
  const [, year = '', month = '01', day = '01', hour = '00', minute = '00', second = '00', fraction = '', zone] = match;
  const wall = wallMicros(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
  if (wall === undefined) return undefined;
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  const offset = zone === undefined ? zoneOffsetMinutesOfWall(wall) : offsetMinutes(zone);
  if (offset === undefined) return undefined;
  // Safe cast: a sum of integers, the wall time minus its offset.
  const instant = (wall + micros - offset * MINUTE) as Instant;
  // The sum is rounded beyond the year 2255: 9999-12-31T23:59:59.999999 becomes the first moment of the year 10000.
  if (instant < EARLIEST || instant > LATEST_IN_ZONE || instant + offset * MINUTE > LATEST) return 'out-of-range';
  return { instant, text: textAt(instant, offset, micros !== 0) };
}

/** The instant of a stored date. Throws for other texts: they mean a bug. */
export function parseInstant(text: string): Instant {
  const parsed = parseDateTime(text);
  if (parsed === undefined) throw new Error(`not a stored date: ${text}`);
  return parsed.instant;
}

/** A date that the service sets: in the service zone, always with six digits (http.md 0.1.5). */
export function formatServerDate(instant: Instant): string {
  return textAt(instant, zoneOffsetMinutes(instant), true);
}

/** Formats as `formatServerDate` does, with microseconds only if they are not zero: for instants computed from a client's date. */
export function formatLocalDate(instant: Instant): string {
  return textAt(instant, zoneOffsetMinutes(instant), instant % SECOND !== 0);
}

/** Adds microseconds, rounded to whole ones. */
export function addMicros(instant: Instant, micros: number): Instant {
  return (instant + Math.round(micros)) as Instant;
}

/** The first midnight at or after a stored date, in the offset of that date (tenders.md 9.2). */
export function midnightAtOrAfter(text: string): string {
  const offset = offsetMinutes(/(?:Z|[+-]\d{2}:\d{2})$/.exec(text)?.[0] ?? 'Z') ?? 0;
  const wall = parseInstant(text) + offset * MINUTE;
  return textAt((Math.ceil(wall / DAY) * DAY - offset * MINUTE) as Instant, offset, false);
}

/** A calendar day of the service zone, `2026-11-21`. Text order is the order of days. */
export type LocalDate = string;

/** Date and time of day in the service zone. */
export interface WallTime {
  readonly date: LocalDate;
  /** Microseconds since midnight on the clock. */
  readonly timeOfDay: number;
}

/** Date and time of day of an instant in the service zone (inverse of `instantAt`). */
export function wallTime(instant: Instant): WallTime {
  const wall = instant + zoneOffsetMinutes(instant) * MINUTE;
  const days = Math.floor(wall / DAY);
  return { date: dateText(days), timeOfDay: wall - days * DAY };
}

/**
 * The instant of a date and time of day in the service zone. The hour that occurs twice in autumn counts as winter time; a
 * time skipped in spring becomes one hour later.
 */
export function instantAt(date: LocalDate, timeOfDay: number): Instant {
  const wall = daysOfDate(date) * DAY + timeOfDay;
  // Safe cast: whole microseconds minus whole minutes.
  return (wall - zoneOffsetMinutesOfWall(wall) * MINUTE) as Instant;
}

/** Adds days. */
export function daysLater(date: LocalDate, days: number): LocalDate {
  return dateText(daysOfDate(date) + days);
}

/** Saturday or Sunday. */
export function isWeekend(date: LocalDate): boolean {
  // 1970-01-01 was a Thursday, so Saturday is 2 and Sunday 3. The second % is for days before 1970.
  const weekday = ((daysOfDate(date) % 7) + 7) % 7;
  return weekday === 2 || weekday === 3;
}

/** The offset of the service zone at an instant, in minutes. */
export function zoneOffsetMinutes(instant: Instant): number {
  const hour = Math.floor(instant / HOUR);
  const known = offsetByHour.get(hour);
  if (known !== undefined) return known;
  const offset = offsetFromIntl(hour * (HOUR / 1_000));
  if (offsetByHour.size >= OFFSETS_CACHED_MAX) offsetByHour.clear();
  offsetByHour.set(hour, offset);
  return offset;
}

const ZONE = 'Europe/Kyiv';
const EARLIEST = -62_135_596_800 * SECOND;
const LATEST = 253_402_300_799 * SECOND;

// A call of Intl takes 5 µs. The zone changes offsets on the hour, so a result is valid for its hour.
const OFFSETS_CACHED_MAX = 10_000;
const offsetByHour = new Map<number, number>();
const zoneFormat = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, timeZoneName: 'longOffset' });
// Safe cast: a whole number of microseconds is an instant.
const LATEST_IN_ZONE = LATEST - zoneOffsetMinutes(LATEST as Instant) * MINUTE;

function offsetFromIntl(unixMs: number): number {
  const name = zoneFormat.formatToParts(unixMs).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::\d{2})?)?$/.exec(name);
  const minutes = Number(match?.[2] ?? 0) * 60 + Number(match?.[3] ?? 0);
  return match?.[1] === '-' ? -minutes : minutes;
}

/** The offset of a wall-clock time in minutes. Ambiguous and skipped hours count as winter time. */
function zoneOffsetMinutesOfWall(wall: number): number {
  const standard = zoneOffsetMinutes((wall - 2 * HOUR) as Instant);
  const summer = zoneOffsetMinutes((wall - 3 * HOUR) as Instant);
  for (const offset of [Math.min(standard, summer), Math.max(standard, summer)]) {
    if (zoneOffsetMinutes((wall - offset * MINUTE) as Instant) === offset) return offset;
  }
  return Math.min(standard, summer);
}

function wallMicros(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59 || year < 1) return undefined;
  if (day < 1 || day > daysInMonth(year, month)) return undefined;
  return (daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second) * SECOND;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** Days since 1970 in the proleptic Gregorian calendar. Years start in March here, so that the leap day is the last day. */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function daysOfDate(date: LocalDate): number {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return daysSince1970(year, month, day);
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** A date that is computed from the last days of the calendar, such as a midnight or the end of an auction, ends with them. */
function textAt(instant: Instant, offset: number, withMicros: boolean): string {
  const wall = Math.min(instant, LATEST_IN_ZONE, LATEST - offset * MINUTE) + offset * MINUTE;
  const days = Math.floor(wall / DAY);
  const seconds = Math.floor((wall - days * DAY) / SECOND);
  const micros = wall - days * DAY - seconds * SECOND;
  const time = [seconds / 3_600, (seconds / 60) % 60, seconds % 60].map((part) => pad(Math.floor(part), 2)).join(':');
  const zone = `${offset < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(offset) / 60), 2)}:${pad(Math.abs(offset) % 60, 2)}`;
  return `${dateText(days)}T${time}${withMicros ? `.${pad(micros, 6)}` : ''}${zone}`;
}

function dateText(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
