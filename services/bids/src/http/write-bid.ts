import { isPrivileged } from '@procurement/contracts/api/actor';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { AuditAct } from '@procurement/kit/database/audit';
import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import type { Deps } from '../deps.ts';
import { decideBidAt } from '../domain/bid.decide.ts';
import { dependsOnTender } from '../domain/bid.guards.ts';
import type { BidRequest, BidState } from '../domain/bid.ts';
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
  /** Of a dry run: the documents in the body, which no other service can show. */
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
 * One attempt by one version of the tender. Decides without locks first, so that refused requests never hold up the closing
 * of a tender (decision 0028). May run twice, then with the same ids.
 */
async function tryWriteBid(
  deps: Deps,
  input: WriteBidInput,
  tender: TenderFacts,
): Promise<WrittenBid | { readonly refused: Problem }> {
  const { bid, correlationId, request, audit, precondition, isDryRun, documentIds = [] } = input;
  // Documents are stored before the bid: a bid that exceeds the byte budget must not leave them.
  const usage = documentIds.length === 0 ? undefined : await deps.bids.usage(tender.id, request.meta.actor.broker);
  // Whether another caller than the owner sees the bid depends on the phase, too.
  const phase = isPrivileged(request.meta.actor.group) ? await deps.bids.phase(tender.id) : 'open';
  const preliminary = decideBidAt({ tender, phase, bid, usage }, request, deps.clock.now());
  if ('refused' in preliminary) return preliminary;
  const write = { tender, bidId: bid?.id, correlationId, request, audit, precondition };
  if (isDryRun) {
    const documents = await previewDocuments(deps, preliminary.accepted, documentIds);
    const result = await deps.bids.preview(write);
    return 'refused' in result ? result : { ...result, documents };
  }
  await attachDocuments(deps, preliminary.accepted, documentIds);
  return deps.bids.write(write);
}
