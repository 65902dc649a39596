import type { Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { AuditAct } from '@procurement/kit/database/audit';
import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import type { Deps } from '../deps.ts';
import { dependsOnTender } from '../domain/bid.guards.ts';
import type { BidRequest, BidState } from '../domain/bid.ts';
import type { AcknowledgedBid } from '../store/bid-receipts.ts';
import type { BidWrite } from '../store/bid-write.ts';
import { attachDocuments, previewDocuments } from './attach-documents.ts';
import { currentTender } from './path.ts';

export interface WriteBidInput {
  readonly tender: TenderFacts;
  /** The bid of the path, when it names one. */
  readonly bid?: BidState;
  readonly correlationId: string;
  readonly request: BidRequest;
  readonly audit?: AuditAct | undefined;
  readonly precondition?: BidWrite['precondition'];
  /** Decides only (decision 0111). */
  readonly isDryRun: boolean;
  /** Ids for the documents in the body of a new bid, in their order. */
  readonly documentIds?: readonly string[];
}

/** A bid after a write. */
export interface WrittenBid {
  readonly bid: BidState;
  /** What the write has stored; absent when it has stored nothing new. */
  readonly stored?: AcknowledgedBid | undefined;
  /** The documents in the body of a dry run, which no other service can show. */
  readonly documents?: readonly { readonly id: string }[];
}

/**
 * Carries out one request and returns the bid after it. Throws its refusal; one that depends on the tender only after the
 * tender's owner has answered with its version; 503 when it does not answer (decision 0029).
 */
export async function writeBid(deps: Deps, input: WriteBidInput): Promise<WrittenBid> {
  const source = currentTender(deps, input.tender);
  return decideWithRefresh<TenderFacts, WrittenBid>(source, dependsOnTender, async (tender) =>
    tryWriteBid(deps, input, tender),
  );
}

/**
 * One attempt by one version of the tender; may run twice, then with the same ids. The store decides, under the lock. Documents are stored
 * before the bid, and only those of a bid that would be accepted, so a bid with documents is decided by what is stored now as well.
 */
async function tryWriteBid(
  deps: Deps,
  input: WriteBidInput,
  tender: TenderFacts,
): Promise<WrittenBid | { readonly refused: Problem }> {
  const { bid, correlationId, request, audit, precondition, isDryRun, documentIds = [] } = input;
  const write = { tender, bidId: bid?.id, correlationId, request, audit, precondition };
  if (!isDryRun && documentIds.length === 0) return deps.bids.write(write);
  const preview = await deps.bids.preview(write);
  if ('refused' in preview) return preview;
  if (isDryRun) return { bid: preview.bid, documents: await previewDocuments(deps, preview.event, documentIds) };
  await attachDocuments(deps, preview.event, documentIds);
  return deps.bids.write(write);
}
