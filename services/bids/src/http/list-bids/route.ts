import type { Handler } from '@procurement/kit/mount';
import { sendJson } from '@procurement/kit/server';
import type { Deps } from '../../deps.ts';
import { visibleBids, visibilityOf } from '../../domain/bid.visibility.ts';
import { bidViews } from '../bid.view.ts';
import { decideFreshly } from '../decide-freshly.ts';
import { lookOf } from '../look.ts';
import { tenderOf } from '../path.ts';

/** `GET /tenders/{id}/bids`: all bids in the order of registration, or 403 `bid.list-sealed`, for everybody. */
export function listBids(deps: Deps): Handler {
  return async (request, reply) => {
    const seen = await decideFreshly(deps, await tenderOf(deps, request), async (tender) => {
      const look = await lookOf(deps, request, tender);
      // What is sealed is not even read: followers who poll a running tender cost one look at its phase.
      const isSealed = visibilityOf(look) === 'sealed';
      const bids = visibleBids(look, isSealed ? [] : await deps.bids.list(tender.id));
      return 'refused' in bids ? bids : { bids, phase: look.phase };
    });
    return sendJson(reply, 200, `{"data":[${(await bidViews(deps, seen)).join(',')}]}`);
  };
}
