import { problem } from '@procurement/contracts/problems/problems';
import { OWNER_UNSAID, permissionProblem } from '@procurement/domain/admission';
import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Deps } from '../deps.ts';
import { loadVisibleBid } from './visible-bid.ts';

/**
 * `GET /tenders/{id}/bids/{bid_id}/receipt`: what is stored of the bid, signed now, and its text, for its owner (proof.md 5.3). 404 where
 * there is no receipt: without a key, and for a bid that is stored in clear text, as after the opening.
 */
export function getBidReceipt(deps: Deps): Handler {
  return async (request, reply) => {
    const { bid, isOwner } = await loadVisibleBid(deps, request);
    const forbidden = permissionProblem(actorOf(request.identity), isOwner, OWNER_UNSAID);
    if (forbidden !== undefined) throw new ProblemError(forbidden);
    const stored = await deps.bids.acknowledged(bid.id);
    const signed = stored === undefined ? undefined : deps.receipts?.sign(stored);
    if (signed === undefined) throw new ProblemError(problem('bid.receipt'));
    reply.header('cache-control', 'private, no-store');
    return sendJson(reply, 200, JSON.stringify({ data: { receipt: signed.note, text: signed.text } }));
  };
}
