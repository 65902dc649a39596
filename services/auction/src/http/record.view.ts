import { toJsonText } from '@procurement/domain/json-text';
import { maskedRecord, type AuctionRecord } from '../domain/auction-record.ts';
import { isAuctionCaller } from '../domain/hand-off.roles.ts';
import type { HandOffMeta } from '../domain/hand-off.ts';

/** The body with the record for this caller: full for the auction component, masked or full for others (rulings R4). */
export function recordView(record: AuctionRecord, status: string, { actor, settings, now }: HandOffMeta): string {
  const isFull = isAuctionCaller(actor) || settings.recordPublic === 'full';
  return `{"data":${toJsonText(isFull ? record : maskedRecord(record, status, now))}}`;
}
