import { problem } from '@procurement/contracts/problems';
import { actorOf } from '@procurement/kit/actor';
import type { Handler } from '@procurement/kit/mount';
import { ProblemError } from '@procurement/kit/problem-error';
import { sendJson } from '@procurement/kit/server';
import type { Deps } from '../../deps.ts';
import { visibilityOf } from '../../domain/bid.visibility.ts';
import { bidView } from '../bid.view.ts';
import { tenderOf } from '../path.ts';

/** `GET /tenders/{id}/bids`: all bids in the order of registration, or 403 `bid.list-sealed`, for everybody. */
export function listBids(deps: Deps): Handler {
  return async (request, reply) => {
    const tender = await tenderOf(deps, request);
    const visibility = visibilityOf(tender.status, actorOf(request.identity), deps.settings.legacyGuardsOpen);
    const refusal = problem('bid.list-sealed', { status: tender.status });
    if (visibility === 'sealed') throw new ProblemError(refusal);
    const bids = await deps.bids.list(tender.id);
    if (visibility === 'early' && bids.length > 0) throw new ProblemError(refusal);
    return sendJson(reply, 200, `{"data":[${bids.map(bidView).join(',')}]}`);
  };
}
