import type { Handler } from '@procurement/kit/http/mount';
import { etagOf, sendTagged } from '@procurement/kit/http/etag';
import type { Deps } from '../deps.ts';
import { bidView } from './bid.view.ts';
import { loadVisibleBid } from './visible-bid.ts';

/** `GET /tenders/{id}/bids/{bid_id}`: the bid. While it is sealed, 403 `bid.sealed` for all but its owner. */
export function getBid(deps: Deps): Handler {
  return async (request, reply) => {
    const { bid, phase } = await loadVisibleBid(deps, request);
    const view = await bidView(deps, bid, phase);
    return sendTagged(request, reply, `{"data":${view}}`, etagOf(view));
  };
}
