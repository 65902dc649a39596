/** The marker of what belongs to a test tender, by title (tenders.md 7.2). */
export const TEST_MARKERS = { title: '[ТЕСТУВАННЯ]', title_en: '[TESTING]', title_ru: '[ТЕСТИРОВАНИЕ]' } as const;

/** The title with the marker, if it lacks it. */
export function withTestMarker(title: string | undefined, marker: string): string {
  return title?.includes(marker) === true ? title : `${marker} ${title ?? ''}`;
}
