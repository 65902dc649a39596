import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { etagOf, sendTagged } from '@procurement/kit/http/etag';
import type { Deps } from '../deps.ts';
import { auctionRecord } from '../domain/auction-record.ts';
import { readStateRefusal } from '../domain/hand-off.guards.ts';
import { readRefusal } from '../domain/hand-off.roles.ts';
import { buildMeta } from './meta.ts';
import { loadTender } from './path.ts';
import { recordView } from './record.view.ts';

/**
 * `GET /tenders/{id}/auction` (bids-awards-auction.md 2.2). The status comes from the view of the tenders service, not from the
 * local copy. Refusals: 404 of the tender, 403 `request.forbidden`, 403 `auction.get-status`, 503 while tenders or bids are
 * unavailable.
 */
export function getAuction(deps: Deps): Handler {
  return async (request, reply) => {
    const tender = await loadTender(deps, request);
    const actor = actorOf(request.identity);
    const forbidden = readRefusal(actor);
    if (forbidden !== undefined) throw new ProblemError(forbidden);
    const { publicTender } = await deps.otherServices.view(tender.id, request);
    const statusRefusal = readStateRefusal({ ...tender, status: publicTender.status }, actor, deps.settings);
    if (statusRefusal !== undefined) throw new ProblemError(statusRefusal);
    const [bids, addresses] = await Promise.all([
      deps.otherServices.offeredBids(tender.id, request),
      deps.handOff.addresses(tender.id),
    ]);
    const record = auctionRecord(publicTender, bids, addresses);
    const text = recordView(record, publicTender.status, buildMeta(deps, request, tender, deps.clock.now()));
    return sendTagged(request, reply, text, etagOf(text));
  };
}
