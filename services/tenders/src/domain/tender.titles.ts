import type { StoredTender } from '@procurement/contracts/resources/tender';

/** The marker of a test tender in each language (tenders.md 7.2). */
const MARKERS = { title: '[ТЕСТУВАННЯ]', title_en: '[TESTING]', title_ru: '[ТЕСТИРОВАНИЕ]' } as const;

/** Adds the marker to every title of a test tender that lacks it, also to a missing title. Other tenders stay as they are. */
export function withTestTitles(tender: StoredTender): StoredTender {
  if (tender.mode !== 'test') return tender;
  return {
    ...tender,
    title: withMarker(tender.title, MARKERS.title),
    title_en: withMarker(tender.title_en, MARKERS.title_en),
    title_ru: withMarker(tender.title_ru, MARKERS.title_ru),
  };
}

function withMarker(title: string | undefined, marker: string): string {
  return title?.includes(marker) === true ? title : `${marker} ${title ?? ''}`;
}
