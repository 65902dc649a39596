import type { Language } from '@procurement/page-style/time-left';

/** Texts in both languages. Ukrainian is the source; English has the same keys and parameters, by type. */
export function translations<T extends object>(texts: {
  readonly uk: T;
  readonly en: NoInfer<T>;
}): Readonly<Record<Language, T>> {
  return texts;
}

const RULES = { uk: new Intl.PluralRules('uk'), en: new Intl.PluralRules('en') };

/** Chooses the form of a word for a number: `plural('uk', 5, { one: 'день', few: 'дні', many: 'днів' })`. */
export function plural(
  lang: Language,
  count: number,
  forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>,
): string {
  return forms[RULES[lang].select(count)] ?? forms.many ?? forms.other ?? '';
}
