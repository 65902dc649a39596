import type { Language } from '@procurement/page-style/time-left';
import { LOCALE } from './money.ts';

const NBSP = '\u00a0';
const HOUR_MS = 3_600_000;
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
  const [text, clock] = [wallClock(at, lang), wallClock(at, 'en')];
  const comesTwice = [-HOUR_MS, HOUR_MS].some((shift) => wallClock(at + shift, 'en') === clock);
  return comesTwice ? `${text} (${offset(at)})` : text;
}

function wallClock(at: number, lang: Language): string {
  const parts = partsOf(at, lang);
  const seconds = parts.second === '00' ? '' : `:${parts.second}`;
  return `${parts.day}${NBSP}${parts.month} ${parts.year}, ${parts.hour}:${parts.minute}${seconds}`;
}

type Part = keyof typeof PARTS;

function partsOf(at: number, lang: Language): Readonly<Record<Part, string>> {
  // Safe cast: the formatter answers each part that it was asked for.
  return Object.fromEntries(CLOCK[lang].formatToParts(at).map(({ type, value }) => [type, value])) as Record<
    Part,
    string
  >;
}

/** Formats the day of an instant: `16 березня 2026`. */
export function formatDay(iso: string, lang: Language): string {
  const { day, month, year } = partsOf(Date.parse(iso), lang);
  return `${day}${NBSP}${month} ${year}`;
}

/** Formats an instant near the present: `16 березня, 12:00`. */
export function formatShort(iso: string, lang: Language): string {
  const { day, month, hour, minute } = partsOf(Date.parse(iso), lang);
  return `${day}${NBSP}${month}, ${hour}:${minute}`;
}

function offset(at: number): string {
  const name = OFFSET.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', 'UTC');
}

/** Whether a text of a tender is an instant that can be shown as one. */
export function isInstant(text: unknown): text is string {
  return typeof text === 'string' && !Number.isNaN(Date.parse(text));
}
