import { problem } from '@procurement/contracts/problems';
import { actorOf } from '@procurement/kit/actor';
import { ownsBy } from '@procurement/kit/ownership';
import type { Handler } from '@procurement/kit/mount';
import { ProblemError } from '@procurement/kit/problem-error';
import { sendJson } from '@procurement/kit/server';
import type { Deps } from '../../deps.ts';
import { visibilityOf } from '../../domain/bid.visibility.ts';
import { bidView } from '../bid.view.ts';
import { bidOf, tenderOf } from '../path.ts';

/** `GET /tenders/{id}/bids/{bid_id}`: the bid; while sealed only for its own owner, else 403 `bid.sealed`. */
export function getBid(deps: Deps): Handler {
  return async (request, reply) => {
    const tender = await tenderOf(deps, request);
    const bid = await bidOf(deps, request);
    const visibility = visibilityOf(tender.status, actorOf(request.identity), deps.settings.legacyGuardsOpen);
    if (visibility !== 'open' && !ownsBy(request.identity, bid.owner, bid.ownerTokenHash)) {
      throw new ProblemError(problem('bid.sealed', { status: tender.status }));
    }
    return sendJson(reply, 200, `{"data":${bidView(bid)}}`);
  };
}
