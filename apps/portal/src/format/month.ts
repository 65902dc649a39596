import type { Language } from '@procurement/page-style/time-left';
import { LOCALE } from './money.ts';

const NAMES = {
  long: {
    uk: new Intl.DateTimeFormat(LOCALE.uk, { month: 'long' }),
    en: new Intl.DateTimeFormat(LOCALE.en, { month: 'long' }),
  },
  short: {
    uk: new Intl.DateTimeFormat(LOCALE.uk, { month: 'short' }),
    en: new Intl.DateTimeFormat(LOCALE.en, { month: 'short' }),
  },
};
const IN_ZONE = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Kyiv', year: 'numeric', month: '2-digit' });
const NBSP = '\u00a0';
const MONTHS_A_YEAR = 12;

/** Names a month such as `2026-03`: `березень 2026`. */
export function formatMonth(month: string, lang: Language): string {
  return `${NAMES.long[lang].format(Date.parse(`${month.slice(0, 7)}-15`))}${NBSP}${month.slice(0, 4)}`;
}

/** The short name of a month without its year, for an axis: `бер`. */
export function shortMonth(month: string, lang: Language): string {
  return NAMES.short[lang].format(Date.parse(`${month.slice(0, 7)}-15`)).replace('.', '');
}

/** The month of an instant in the zone of the installation. */
export function monthOf(ms: number): string {
  return IN_ZONE.format(ms);
}

/** All months from one day to another: `2025-12`, `2026-01`. */
export function monthsBetween(from: string, to: string): readonly string[] {
  const [first, last] = [from, to].map((day) => Number(day.slice(0, 4)) * MONTHS_A_YEAR + Number(day.slice(5, 7)) - 1);
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: last - first + 1 }, (_, n) => {
    const month = first + n;
    return `${Math.floor(month / MONTHS_A_YEAR)}-${String((month % MONTHS_A_YEAR) + 1).padStart(2, '0')}`;
  });
}

/** The last day of a month. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`;
}
