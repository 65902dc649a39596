/** Languages of the pages for people; guides and reference are English only. */
export type Language = 'uk' | 'en';

interface Units {
  readonly days: (count: number) => string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly over: string;
}

const UNITS: Readonly<Record<Language, Units>> = {
  uk: {
    days: plural('uk', { one: 'день', few: 'дні', many: 'днів' }),
    hour: 'год',
    minute: 'хв',
    second: 'с',
    over: 'строк минув',
  },
  en: { days: plural('en', { one: 'day', other: 'days' }), hour: 'h', minute: 'min', second: 's', over: 'time is up' },
};

function plural(lang: Language, words: Partial<Record<Intl.LDMLPluralRule, string>>): (count: number) => string {
  const rules = new Intl.PluralRules(lang);
  return (count) => words[rules.select(count)] ?? words.many ?? words.other ?? '';
}

/** Formats how long until an instant, in two units; a rest of less than a second is a second, never nothing (portal.md 9). */
export function timeLeft(milliseconds: number, lang: Language): string {
  const unit = UNITS[lang];
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds <= 0) return unit.over;
  const [days, hours, minutes] = [86_400, 3600, 60].map((size) => Math.floor(seconds / size)) as [
    number,
    number,
    number,
  ];
  const shown: [number, string][] =
    days >= 2
      ? [
          [days, unit.days(days)],
          [hours % 24, unit.hour],
        ]
      : hours >= 1
        ? [
            [hours, unit.hour],
            [minutes % 60, unit.minute],
          ]
        : [...(minutes >= 1 ? [[minutes, unit.minute] as [number, string]] : []), [seconds % 60, unit.second]];
  return shown.map(([count, word]) => `${count}\u00a0${word}`).join(' ');
}
