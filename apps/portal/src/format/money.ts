import type { Language } from '@procurement/page-style/time-left';

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

export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** Formats money with every stored digit, at least two after the point (portal.md 9). */
export function formatMoney({ amount, currency }: Money, lang: Language): string {
  const text = AMOUNT[lang].format(amount);
  return lang === 'en' ? `${currency}${NBSP}${text}` : `${text}${NBSP}${currency === 'UAH' ? 'грн' : currency}`;
}

/** Formats a number with every stored digit. */
export function formatNumber(value: number, lang: Language): string {
  return NUMBER[lang].format(value);
}
