import { decideOwnershipChange } from '@procurement/domain/ownership-change';
import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import { admitRequest, takeOver } from '@procurement/kit/http/take-over';
import type { Deps } from '../deps.ts';
import { admitChangeOfBidOwner, ownershipOf } from '../domain/bid.owner.ts';
import { loadBid, loadTender } from './path.ts';
import { writeBid } from './write-bid.ts';

/** `POST /tenders/{id}/bids/{bid_id}/ownership`: 200 with the id of the bid and its new owner (http.md 3.6). */
export function changeBidOwner(deps: Deps): Handler {
  return async (request, reply) => {
    const tender = await loadTender(deps, request);
    const bid = await loadBid(deps, request);
    const admission = admitRequest(request, (input) => admitChangeOfBidOwner(tender, input));
    const owner = await takeOver(deps, {
      admission,
      path: `/tenders/${tender.id}/bids/${bid.id}`,
      isDryRun: request.isDryRun,
      present: ownershipOf(bid),
      decide: decideOwnershipChange,
      store: async (change) =>
        writeBid(deps, {
          tender,
          bid,
          correlationId: request.id,
          audit: request.audit,
          isDryRun: request.isDryRun,
          request: { type: 'ChangeBidOwner', change, meta: { actor: admission.actor, settings: deps.settings } },
        }),
    });
    return sendJson(reply, 200, JSON.stringify({ data: { id: bid.id, owner } }));
  };
}
