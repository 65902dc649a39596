import { actorOf } from '@procurement/kit/actor';
import type { Handler } from '@procurement/kit/mount';
import { ownsBy } from '@procurement/kit/ownership';
import { readJsonBody } from '@procurement/kit/request-body';
import { sendJson } from '@procurement/kit/server';
import type { Deps } from '../../deps.ts';
import { bidView, sealedBidView } from '../bid.view.ts';
import { loadBid, loadTender } from '../path.ts';
import { writeBid } from '../write-bid.ts';

/**
 * `PATCH /tenders/{id}/bids/{bid_id}`: 200 with the bid after it; also when nothing changed. By its owner, or by the
 * Administrator, who changes the bidder only (bids-awards-auction.md 1.2).
 */
export function patchBid(deps: Deps): Handler {
  return async (request, reply) => {
    const tender = await loadTender(deps, request);
    const bid = await loadBid(deps, request);
    const body = readJsonBody(request.headers['content-type'], request.body);
    const owns = ownsBy(request.identity, bid.owner, bid.ownerTokenHash);
    const meta = { actor: actorOf(request.identity), settings: deps.settings, owns };
    const changed = await writeBid(deps, {
      tender,
      bid,
      requestId: request.id,
      commandAt: (now) => ({ type: 'ChangeBid', body, meta: { ...meta, now } }),
    });
    return sendJson(reply, 200, `{"data":${owns ? await bidView(deps, changed) : sealedBidView(changed)}}`);
  };
}
