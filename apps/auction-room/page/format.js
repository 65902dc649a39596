// Numbers, times and amounts as people read and write them, in the zone of the server.

const LOCALES = { uk: 'uk-UA', en: 'en-GB' };
const BLANK = '\u00a0';

/** An amount; with a currency when there is one. Never rounded up: the largest accepted amount is shown by it. */
export function money(lang, amount, currency) {
  if (amount === undefined || amount === null) return '';
  const kopecks = Math.floor(Number((amount * 100).toPrecision(15))) / 100;
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const shown = new Intl.NumberFormat(LOCALES[lang], digits).format(kopecks);
  if (currency === undefined || currency === '') return shown;
  return lang === 'en' ? `${currency}${BLANK}${shown}` : `${shown}${BLANK}${currencyName(lang, currency)}`;
}

/** A currency as it stands beside an amount. */
export function currencyName(lang, currency) {
  return lang === 'uk' && currency === 'UAH' ? 'грн' : currency;
}

/** A number with the digits that it has. */
export function quantity(lang, number) {
  return new Intl.NumberFormat(LOCALES[lang], { maximumFractionDigits: 12 }).format(number);
}

/** The time between two dates: whole minutes as such, everything else in seconds. */
export function duration(lang, from, until) {
  const seconds = Math.round((Date.parse(until) - Date.parse(from)) / 1_000);
  const [value, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return new Intl.NumberFormat(LOCALES[lang], { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** Time of day of a date with an offset, as the auction shows it: `11:24:34`. */
export function clockTime(date) {
  return /T(\d\d:\d\d:\d\d)/.exec(date ?? '')?.[1] ?? '';
}

/** The day of a date or of a date with a time: `16 березня 2026`. */
export function day(lang, date) {
  const format = { day: 'numeric', month: 'long', timeZone: 'UTC' };
  // Of the text itself: it has the zone of the server, whatever that of the machine is.
  const at = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  return `${new Intl.DateTimeFormat(LOCALES[lang], format).format(at).replace(' ', BLANK)}${BLANK}${at.getUTCFullYear()}`;
}

/** The same with the day of the week. */
export function dayOfWeek(lang, date) {
  const at = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  const name = new Intl.DateTimeFormat(LOCALES[lang], { weekday: 'long', timeZone: 'UTC' }).format(at);
  return `${day(lang, date)}, ${name}`;
}

/** A time of day, with seconds when there are any; with its day when it is another one than that of `now`. */
export function moment(lang, date, now = '') {
  const clock = clockTime(date).replace(/:00$/, '');
  return now.slice(0, 10) === date.slice(0, 10) ? clock : `${day(lang, date)}, ${clock}`;
}

/** Day and time for narrow columns: `16.03.2026, 12:00`, `16 Mar 2026, 12:00`. */
export function shortMoment(lang, date) {
  const format = { day: '2-digit', month: lang === 'en' ? 'short' : '2-digit', year: 'numeric', timeZone: 'UTC' };
  const at = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  const shown = new Intl.DateTimeFormat(LOCALES[lang], format).format(at).replaceAll(' ', BLANK);
  return `${shown}, ${moment(lang, date, date)}`;
}

/** A price as people write it: blanks, one comma or point. Undefined for anything else. */
export function parseAmount(typed) {
  const plain = typed.replaceAll(/[\s\u00a0]/g, '');
  if (/^\d+([.,]\d{1,2})?$/.test(plain)) return Number(plain.replace(',', '.'));
  if (/^\d{1,3}(,\d{3})+\.\d{1,2}$/.test(plain)) return Number(plain.replaceAll(',', ''));
  return undefined;
}
