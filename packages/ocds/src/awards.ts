import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { lotBidId } from './bids.ts';
import { AWARD_STATUSES } from './codes.ts';
import { mapDocuments } from './documents.ts';
import { mapItems } from './items.ts';
import type { Parties } from './parties.ts';
import { compact, identified, idText, isEmpty, money, multilingual, asCode, timestamp } from './values.ts';

/** What awards take from the rest of the release. */
export interface AwardContext {
  readonly tenderUrl: string;
  readonly parties: Parties;
  /** Items of the tender, as published. */
  readonly items: readonly JsonObject[];
  readonly isOpened: boolean;
}

/** Awards of every status (ocds.md 2.10). */
export function mapAwards(awards: unknown, context: AwardContext): readonly JsonObject[] {
  return identified(awards).map((award) => mapAward(award, context));
}

function mapAward(award: JsonObject, { tenderUrl, parties, items, isOpened }: AwardContext): JsonObject {
  const [id, bidId, lotId] = [idText(award['id']), idText(award['bid_id']), idText(award['lotID'])];
  const ofLot = lotId === undefined ? items : items.filter(({ relatedLot }) => relatedLot === lotId);
  return compact({
    id,
    ...multilingual(award, 'title', 'description'),
    status: asCode(AWARD_STATUSES, award['status']),
    date: timestamp(award['date']),
    value: money(award['value']),
    suppliers: parties.referAll(award['suppliers'], 'supplier'),
    items: isEmpty(award['items']) ? ofLot : mapItems(award['items']),
    documents: mapDocuments(award['documents'], { place: 'award', tenderUrl, parentId: id }),
    relatedBid: isOpened && bidId !== undefined ? lotBidId(bidId, lotId) : undefined,
    relatedLots: lotId === undefined ? undefined : [lotId],
  });
}
