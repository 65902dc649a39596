import type { StoredTender } from '@procurement/contracts/resources/tender';
import { nextCheck } from './tender.timers.ts';

/**
 * Stands where dateModified will: its value is the place in the feed, which the database decides at commit. It is put before
 * anything that a client wrote, so the first occurrence in the text is this one.
 */
export const DATE_MODIFIED_PLACEHOLDER = '\u0001dateModified\u0001';

/** What anybody sees of a tender (tenders.md 10). */
export function publicView(tender: StoredTender): Readonly<Record<string, unknown>> {
  const { id, tenderID, ...rest } = tender;
  return { id, tenderID, dateModified: DATE_MODIFIED_PLACEHOLDER, ...rest, next_check: nextCheck(tender) };
}

/** Members that the feed serves with its rows, without opening the view (http.md 1.4). */
export const FEED_MEMBERS = [
  'auctionPeriod',
  'status',
  'tenderID',
  'lots',
  'procurementMethodType',
  'next_check',
  'mode',
  'procuringEntity',
  'procurementMethod',
  'enquiryPeriod',
  'tenderPeriod',
  'awardPeriod',
  'title',
  'value',
] as const;
