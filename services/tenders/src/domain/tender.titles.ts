import type { StoredTender } from '@procurement/contracts/resources/tender';

/** What marks a tender as a test, in each language (tenders.md 7.2). */
const MARKERS = { title: '[ТЕСТУВАННЯ]', title_en: '[TESTING]', title_ru: '[ТЕСТИРОВАНИЕ]' } as const;

/** Puts the marker in front of every title that lacks it; titles in other languages come to be. Others are left alone. */
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
