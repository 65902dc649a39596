import { problem } from '@procurement/contracts/problems/problems';
import { etagOf, preconditionRefusal } from '@procurement/kit/http/etag';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { BidState } from '../domain/bid.ts';
import type { BidWrite } from '../store/bid-write.ts';
import { documentsOfBids, viewWithDocuments } from './bid.view.ts';

/** The check of `If-Match` by a caller who may read the bid; undefined for a request without it. */
export async function bidPrecondition(
  deps: Pick<Deps, 'documents' | 'bids'>,
  request: FastifyRequest,
  { id, tenderId }: BidState,
): Promise<BidWrite['precondition']> {
  if (request.headers['if-match'] === undefined) return undefined;
  const documents = await documentsOfBids(deps, { tenderId, ids: [id], phase: await deps.bids.phase(tenderId) });
  return (bid) => preconditionRefusal(request, () => etagOf(viewWithDocuments(bid, documents)));
}

/**
 * The same for a caller who may not. The comparison of a guess with the hash of a sealed bid would show whether the guess is right,
 * so every ETag is refused, and the answer has none.
 */
export function unreadablePrecondition(request: FastifyRequest): BidWrite['precondition'] {
  const ifMatch = request.headers['if-match'];
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return () => problem('request.precondition');
}
