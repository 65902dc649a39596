import type { StoredBid } from '@procurement/contracts/resources/bid';
import { z } from 'zod';
import type { BidState } from '../domain/bid.ts';

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

const DocumentFrame = z.looseObject({ id: z.string(), date: z.string(), status: z.enum(['active', 'draft']) });

/** A bid from its row. Throws when the row is not one of ours. */
export function readRow(given: unknown): BidState {
  const { document, ...bid } = Row.parse(given);
  // Written from a document that had been read whole; its frame is checked, its parts are only shown.
  return { ...bid, document: DocumentFrame.parse(JSON.parse(document)) as unknown as StoredBid };
}
