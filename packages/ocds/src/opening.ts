import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { asObjects } from './values.ts';

const OPENED: ReadonlySet<unknown> = new Set(['active.qualification', 'active.awarded', 'complete', 'unsuccessful']);

/**
 * Whether the bids of a tender are public (ocds.md 1.1.3). A release is permanent, so bids are sealed here once more, whatever the
 * view shows. An opening always makes an award: its presence decides for a cancelled tender.
 */
export function isOpened(tender: JsonObject): boolean {
  const { status, awards } = tender;
  return OPENED.has(status) || (status === 'cancelled' && asObjects(awards).length > 0);
}
