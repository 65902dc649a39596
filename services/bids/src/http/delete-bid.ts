import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { owns } from '@procurement/domain/ownership';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { bidViewWithoutDocuments, sealedBidView } from './bid.view.ts';
import { loadBid, loadTender } from './path.ts';
import { writeBid } from './write-bid.ts';

/** `DELETE /tenders/{id}/bids/{bid_id}`: 200 with the bid as it was; after that it is a 404 for every caller. */
export function deleteBid(deps: Deps): Handler {
  return async (request, reply) => {
    const tender = await loadTender(deps, request);
    const bid = await loadBid(deps, request);
    const isOwner = owns(request.identity, { owner: bid.owner, tokenHash: bid.ownerTokenHash });
    const meta = { actor: actorOf(request.identity), settings: deps.settings, owns: isOwner };
    const withdrawn = await writeBid(deps, {
      tender,
      bid,
      correlationId: request.id,
      request: { type: 'WithdrawBid', meta },
    });
    return sendJson(reply, 200, `{"data":${isOwner ? bidViewWithoutDocuments(withdrawn) : sealedBidView(withdrawn)}}`);
  };
}
