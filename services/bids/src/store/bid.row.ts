import type { BidRegistered } from '@procurement/contracts/events/bid.events';
import type { StoredBid } from '@procurement/contracts/resources/bid';
import { z } from 'zod';
import type { BiddingPhase, BidState } from '../domain/bid.ts';
import type { BidTexts } from './bid-texts.ts';

// A row is untrusted input like any other (decision 0005).
const IdentityRow = z.object({ id: z.string(), tenderId: z.string(), version: z.coerce.number().int() });

/** What a text is read from. */
export const TextRow = IdentityRow.extend({ document: z.string().nullable(), sealed: z.instanceof(Buffer).nullable() });

/** The columns of `TextRow` in SQL. */
export const TEXT_COLUMNS = `id, tender_id AS "tenderId", bid.version, document, sealed`;

/** A text with that of the bid as it was closed, which is null but from the closing to the opening. */
export const ClosedRow = TextRow.extend({
  closed: z.instanceof(Buffer).nullable(),
  closedVersion: z.coerce.number().int().nullable(),
});
export type ClosedRow = z.infer<typeof ClosedRow>;

export const CLOSED_COLUMNS = `${TEXT_COLUMNS}, closed, closed_version AS "closedVersion"`;

const Row = TextRow.extend({
  status: z.enum(['active', 'draft']),
  owner: z.string(),
  ownerTokenHash: z.string(),
  transferHash: z.string(),
});

/** The columns of a bid in SQL, named as `readRow` expects them. */
export const BID_COLUMNS = `id, tender_id AS "tenderId", version, status, owner, owner_token_hash AS "ownerTokenHash",
  transfer_hash AS "transferHash", document, sealed`;

const FactRow = IdentityRow.extend({
  status: z.string(),
  owner: z.string(),
  ownerTokenHash: z.string(),
  lots: z.array(z.string()),
});

/** The columns of what events tell of a bid, named as `readFacts` expects them. Nothing is decrypted for them. */
export const FACT_COLUMNS = `id, tender_id AS "tenderId", version, status, owner, owner_token_hash AS "ownerTokenHash", lots`;

const DocumentFrame = z.looseObject({ id: z.string(), date: z.string(), status: z.enum(['active', 'draft']) });
const Phase = z.enum(['open', 'sealed', 'opened', 'erased']);

/**
 * Status of the row of a withdrawn bid, of a draft removed at the closing, or of a bid erased with its tender. Kept for the
 * audit trail; no request reads it (bids-awards-auction.md 1.2, decision 0031).
 */
export const DELETED = 'deleted';

/** Reads a bid from its row. Throws when the row does not have the expected shape; when the text cannot be read, at its first use. */
export function readRow(row: unknown, texts: BidTexts): BidState {
  const { document: stored, sealed, ...bid } = Row.parse(row);
  let document: StoredBid | undefined;
  return {
    ...bid,
    // Callers who may not see the bid are refused before it is decrypted (proof.md 2.2).
    get document() {
      document ??= parseDocument(texts.read({ ...bid, document: stored, sealed }));
      return document;
    },
  };
}

function parseDocument(text: string): StoredBid {
  // The document was validated whole before it was written; only the members that the code depends on are checked again.
  return DocumentFrame.parse(JSON.parse(text)) as unknown as StoredBid;
}

/** Reads what events tell of a bid. */
export function readFacts(row: unknown): BidRegistered {
  return FactRow.parse(row);
}

/** Reads the phase from a row of `bidding`; a tender without a row is open. */
export function readPhase(row: { readonly phase: string } | undefined): BiddingPhase {
  return row === undefined ? 'open' : Phase.parse(row.phase);
}

/** Groups rows by tender and keeps their order. */
export function groupByTender<R extends { readonly tenderId: string }, T>(
  rows: readonly R[],
  project: (row: R) => T,
): ReadonlyMap<string, T[]> {
  const sets = new Map<string, T[]>();
  for (const row of rows) {
    const set = sets.get(row.tenderId);
    if (set === undefined) sets.set(row.tenderId, [project(row)]);
    else set.push(project(row));
  }
  return sets;
}
