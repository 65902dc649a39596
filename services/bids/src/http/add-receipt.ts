import { RECEIPT_HEADER } from '@procurement/contracts/resources/bid-receipt';
import { receiptHeader } from '@procurement/proof/receipts';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';
import type { WrittenBid } from './write-bid.ts';

/**
 * Gives the owner of a bid the receipt of a write, which is committed (proof.md 5.3). Nobody else gets one: with its salt, guesses of a
 * sealed bid could be tested. A write that has stored nothing new acknowledges what is stored; a dry run acknowledges nothing.
 */
export async function addReceipt(
  { bids, receipts }: Pick<Deps, 'bids' | 'receipts'>,
  reply: FastifyReply,
  { bid, stored }: WrittenBid,
): Promise<void> {
  if (receipts === undefined || reply.request.isDryRun) return;
  const acknowledged = stored ?? (await bids.acknowledged(bid.id));
  const signed = acknowledged === undefined ? undefined : receipts.sign(acknowledged);
  if (signed !== undefined) reply.header(RECEIPT_HEADER, receiptHeader(signed.note));
}
