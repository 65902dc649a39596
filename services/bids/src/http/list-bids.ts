import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { dependsOnTender } from '../domain/bid.guards.ts';
import { visibleBids, visibilityOf } from '../domain/bid.visibility.ts';
import { bidViews } from './bid.view.ts';
import { viewerContext } from './viewer-context.ts';
import { loadTender, refreshableTender } from './path.ts';

/** `GET /tenders/{id}/bids`: all bids in the order of registration, or 403 `bid.list-sealed` for every caller. */
export function listBids(deps: Deps): Handler {
  return async (request, reply) => {
    const source = refreshableTender(deps, await loadTender(deps, request));
    const visible = await decideWithRefresh(source, dependsOnTender, async (tender) => {
      const viewer = await viewerContext(deps, request, tender);
      // Sealed bids are not read: a client that polls a running tender costs one read of its phase.
      const isSealed = visibilityOf(viewer) === 'sealed';
      const bids = visibleBids(viewer, isSealed ? [] : await deps.bids.list(tender.id));
      return 'refused' in bids ? bids : { bids, phase: viewer.phase };
    });
    return sendJson(reply, 200, `{"data":[${(await bidViews(deps, visible)).join(',')}]}`);
  };
}
