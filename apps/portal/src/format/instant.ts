import type { Language } from '@procurement/page-style/time-left';
import { LRUCache } from 'lru-cache';
import { LOCALE } from './money.ts';

const NBSP = '\u00a0';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The zone of the installation; the API's offsets say it too. */
const timeZone = 'Europe/Kyiv';
const PARTS = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const;
const CLOCK = {
  uk: new Intl.DateTimeFormat(LOCALE.uk, { timeZone, ...PARTS }),
  en: new Intl.DateTimeFormat(LOCALE.en, { timeZone, ...PARTS }),
};
const OFFSET = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' });

/** Formats an instant in the zone of the installation; seconds only when there are any, the offset in the hour that comes twice. */
export function formatInstant(iso: string, lang: Language): string {
  const at = Date.parse(iso);
  const text = wallClock(at, lang);
  const comesTwice = changesOffset(at) && [-HOUR_MS, HOUR_MS].some((shift) => wallClock(at + shift, lang) === text);
  return comesTwice ? `${text} (${offset(at)})` : text;
}

/** Two days of a year. Kept because asking Intl was a quarter of the work for a page; a tender may name any day. */
const changingDays = new LRUCache<number, boolean>({ max: 1_000 });

/** Whether the offset of the zone changes within an hour of this day of UTC. */
function changesOffset(at: number): boolean {
  const day = Math.floor(at / DAY_MS);
  const known = changingDays.get(day);
  if (known !== undefined) return known;
  const changes = offset(day * DAY_MS - HOUR_MS) !== offset((day + 1) * DAY_MS + HOUR_MS);
  changingDays.set(day, changes);
  return changes;
}

function wallClock(at: number, lang: Language): string {
  const parts = formatParts(at, lang);
  const seconds = parts.second === '00' ? '' : `:${parts.second}`;
  return `${parts.day}${NBSP}${parts.month} ${parts.year}, ${parts.hour}:${parts.minute}${seconds}`;
}

type Part = keyof typeof PARTS;

function formatParts(at: number, lang: Language): Readonly<Record<Part, string>> {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of CLOCK[lang].formatToParts(at)) parts[type] = value;
  // Safe cast: the formatter answers each part that it was asked for.
  return parts as Record<Part, string>;
}

/** Formats the day of an instant: `16 березня 2026`. */
export function formatDay(iso: string, lang: Language): string {
  const { day, month, year } = formatParts(Date.parse(iso), lang);
  return `${day}${NBSP}${month} ${year}`;
}

/** Formats an instant near the present: `16 березня, 12:00`. */
export function formatShort(iso: string, lang: Language): string {
  const { day, month, hour, minute } = formatParts(Date.parse(iso), lang);
  return `${day}${NBSP}${month}, ${hour}:${minute}`;
}

function offset(at: number): string {
  const name = OFFSET.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', 'UTC');
}

/** The last instant of `Date`, less the days that are looked at around an instant. */
const SHOWN_MS_MAX = 8.64e15 - 2 * DAY_MS;

/** Whether a text of a tender is an instant that can be shown as one. */
export function isInstant(text: unknown): text is string {
  return typeof text === 'string' && Math.abs(Date.parse(text)) < SHOWN_MS_MAX;
}
