import type { StoredBid } from '@procurement/contracts/resources/bid';
import { z } from 'zod';
import type { BiddingPhase, BidState } from '../domain/bid.ts';

// A row is untrusted input like any other.
const Row = z.object({
  id: z.string(),
  tenderId: z.string(),
  version: z.coerce.number().int(),
  owner: z.string(),
  ownerTokenHash: z.string(),
  transferHash: z.string(),
  document: z.string(),
});

/** The columns of a bid in SQL, named as `readRow` expects them. */
export const BID_COLUMNS = `id, tender_id AS "tenderId", version, owner, owner_token_hash AS "ownerTokenHash",
  transfer_hash AS "transferHash", document`;

const DocumentFrame = z.looseObject({ id: z.string(), date: z.string(), status: z.enum(['active', 'draft']) });
const Phase = z.enum(['open', 'sealed', 'opened', 'erased']);

/**
 * Status of a row whose bid is gone: withdrawn, a draft that was never activated, or erased with its tender. Kept for the
 * audit trail, read by nobody (bids-awards-auction.md 1.2).
 */
export const DELETED = 'deleted';

/** A bid from its row. Throws when the row is not one of ours. */
export function readRow(given: unknown): BidState {
  const { document, ...bid } = Row.parse(given);
  // Written from a document that had been read whole; its frame is checked, its parts are only shown.
  return { ...bid, document: DocumentFrame.parse(JSON.parse(document)) as unknown as StoredBid };
}

/** The phase in a row; a tender without a row is open. */
export function readPhase(row: { readonly phase: string } | undefined): BiddingPhase {
  return row === undefined ? 'open' : Phase.parse(row.phase);
}
