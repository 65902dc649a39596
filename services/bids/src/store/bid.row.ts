import type { StoredBid } from '@procurement/contracts/resources/bid';
import { z } from 'zod';
import type { BiddingPhase, BidState } from '../domain/bid.ts';

// A row is untrusted input like any other (decision 0005).
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
 * Status of the row of a withdrawn bid, of a draft removed at the closing, or of a bid erased with its tender. Kept for the
 * audit trail; no request reads it (bids-awards-auction.md 1.2, decision 0032).
 */
export const DELETED = 'deleted';

/** Reads a bid from its row. Throws when the row does not have the expected shape. */
export function readRow(row: unknown): BidState {
  const { document, ...bid } = Row.parse(row);
  // The document was validated whole before it was written; only the members that the code depends on are checked again.
  return { ...bid, document: DocumentFrame.parse(JSON.parse(document)) as unknown as StoredBid };
}

/** Reads the phase from a row of `bidding`; a tender without a row is open. */
export function readPhase(row: { readonly phase: string } | undefined): BiddingPhase {
  return row === undefined ? 'open' : Phase.parse(row.phase);
}
