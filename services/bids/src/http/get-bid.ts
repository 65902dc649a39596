import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import type { Handler } from '@procurement/kit/http/mount';
import { etagOf, sendTagged } from '@procurement/kit/http/etag';
import type { Deps } from '../deps.ts';
import type { BiddingPhase } from '../domain/bid.ts';
import { dependsOnTender } from '../domain/bid.guards.ts';
import { bidVisibilityRefusal } from '../domain/bid.visibility.ts';
import { bidView } from './bid.view.ts';
import { viewerContext } from './viewer-context.ts';
import { loadBidOfCaller, refreshableTender } from './path.ts';

/** `GET /tenders/{id}/bids/{bid_id}`: the bid. While it is sealed, 403 `bid.sealed` for all but its owner. */
export function getBid(deps: Deps): Handler {
  return async (request, reply) => {
    const { tender, bid, isOwner } = await loadBidOfCaller(deps, request);
    const { phase } = await decideWithRefresh<TenderFacts, { readonly phase: BiddingPhase }>(
      refreshableTender(deps, tender),
      dependsOnTender,
      async (facts) => {
        const viewer = await viewerContext(deps, request, facts);
        const refused = bidVisibilityRefusal(viewer, bid, isOwner);
        return refused === undefined ? viewer : { refused };
      },
    );
    const view = await bidView(deps, bid, phase);
    return sendTagged(request, reply, `{"data":${view}}`, etagOf(view));
  };
}
