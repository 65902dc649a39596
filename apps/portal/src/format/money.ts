import type { Language } from '@procurement/page-style/time-left';
import type { Money } from '../domain/money.ts';
import { visibleText } from './visible-text.ts';

export const LOCALE = { uk: 'uk-UA', en: 'en-GB' } as const satisfies Record<Language, string>;

const NBSP = '\u00a0';
// Every digit that is stored: a double has at most 17, of which 12 after the point are money enough.
const AMOUNT = {
  uk: new Intl.NumberFormat(LOCALE.uk, { minimumFractionDigits: 2, maximumFractionDigits: 12 }),
  en: new Intl.NumberFormat(LOCALE.en, { minimumFractionDigits: 2, maximumFractionDigits: 12 }),
};
const NUMBER = {
  uk: new Intl.NumberFormat(LOCALE.uk, { maximumFractionDigits: 12 }),
  en: new Intl.NumberFormat(LOCALE.en, { maximumFractionDigits: 12 }),
};

/** Formats money with every stored digit, at least two after the point (portal.md 9). */
export function formatMoney({ amount, currency }: Money, lang: Language): string {
  const text = AMOUNT[lang].format(amount);
  // The API takes any three characters.
  const code = visibleText(currency);
  return lang === 'en' ? `${code}${NBSP}${text}` : `${text}${NBSP}${code === 'UAH' ? 'грн' : code}`;
}

/** Formats a number with every stored digit. */
export function formatNumber(value: number, lang: Language): string {
  return NUMBER[lang].format(value);
}

const BASIS_POINTS = 10_000;
const POINTS_A_PERCENT = 100;

/** Formats the weight of a criterion as the tender states it, to a hundredth of a per cent: `5,25%`. */
export function formatPercent(share: number, lang: Language): string {
  return `${formatNumber(Math.round(share * BASIS_POINTS) / POINTS_A_PERCENT, lang)}%`;
}

const SHORT_FROM = 10_000;
const SHORT = {
  uk: new Intl.NumberFormat(LOCALE.uk, { notation: 'compact', maximumFractionDigits: 1 }),
  en: new Intl.NumberFormat(LOCALE.en, { notation: 'compact', maximumFractionDigits: 1 }),
};
const PER_CENT = {
  uk: new Intl.NumberFormat(LOCALE.uk, { style: 'percent', maximumFractionDigits: 1 }),
  en: new Intl.NumberFormat(LOCALE.en, { style: 'percent', maximumFractionDigits: 1 }),
};

/** Shortens a large number for a chart: `1,2 млн`. Tables and sentences do not shorten. */
export function formatShort(value: number, lang: Language): string {
  return value < SHORT_FROM ? formatNumber(value, lang) : SHORT[lang].format(value);
}

/** Formats a share to a tenth of a per cent: `12,5%`. */
export function formatShare(share: number, lang: Language): string {
  return PER_CENT[lang].format(share);
}

/** Shortens hryvnias for a chart or a key figure: `1,2 млн грн`. */
export function shortHryvnias(amount: number, lang: Language): string {
  const short = formatShort(amount, lang);
  return lang === 'uk' ? `${short}${NBSP}грн` : `UAH${NBSP}${short}`;
}
