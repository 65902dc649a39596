import { toJsonText } from '@procurement/domain/json-text';
import { maskedRecord, type AuctionRecord } from '../domain/auction-record.ts';
import { isAuctionCaller } from '../domain/hand-off.roles.ts';
import type { HandOffMeta } from '../domain/hand-off.ts';

/** The record as this caller sees it: whole for the auction, masked or whole for others (rulings R4). */
export function recordView(record: AuctionRecord, status: string, { actor, settings, now }: HandOffMeta): string {
  const isWhole = isAuctionCaller(actor) || settings.recordPublic === 'full';
  return `{"data":${toJsonText(isWhole ? record : maskedRecord(record, status, now))}}`;
}
