/** A text member and its two translations: `title`, `title_en`, `title_ru` (`+lang` in generations.md 3). */
export function withTranslations(name: string): readonly string[] {
  return [name, `${name}_en`, `${name}_ru`];
}
