import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { addReceipt } from './add-receipt.ts';
import { bidViewWithoutDocuments, sealedBidView } from './bid.view.ts';
import { loadBidOfCaller } from './path.ts';
import { bidPrecondition, unreadablePrecondition } from './bid.etag.ts';
import { writeBid } from './write-bid.ts';

/** `DELETE /tenders/{id}/bids/{bid_id}`: 200 with the bid as it was; after that it is a 404 for every caller. */
export function deleteBid(deps: Deps): Handler {
  return async (request, reply) => {
    const { tender, bid, isOwner } = await loadBidOfCaller(deps, request);
    const meta = { actor: actorOf(request.identity), settings: deps.settings, owns: isOwner };
    const written = await writeBid(deps, {
      tender,
      bid,
      correlationId: request.id,
      audit: request.audit,
      isDryRun: request.isDryRun,
      precondition: isOwner ? await bidPrecondition(deps, request, bid) : unreadablePrecondition(request),
      request: { type: 'WithdrawBid', meta },
    });
    if (isOwner) await addReceipt(deps, reply, written);
    const view = isOwner ? bidViewWithoutDocuments(written.bid) : sealedBidView(written.bid);
    return sendJson(reply, 200, `{"data":${view}}`);
  };
}
