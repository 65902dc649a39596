import type { StoredTender } from '@procurement/contracts/resources/tender';
import { TEST_MARKERS, withTestMarker } from '@procurement/domain/test-titles';

/** Adds the marker to every title of a test tender that lacks it, also to a missing title. Other tenders stay as they are. */
export function withTestTitles(tender: StoredTender): StoredTender {
  if (tender.mode !== 'test') return tender;
  return {
    ...tender,
    title: withTestMarker(tender.title, TEST_MARKERS.title),
    title_en: withTestMarker(tender.title_en, TEST_MARKERS.title_en),
    title_ru: withTestMarker(tender.title_ru, TEST_MARKERS.title_ru),
  };
}
