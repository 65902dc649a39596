import { ownsBy } from '@procurement/kit/ownership';
import type { Handler } from '@procurement/kit/mount';
import { sendJson } from '@procurement/kit/server';
import type { Deps } from '../../deps.ts';
import type { BiddingPhase } from '../../domain/bid.ts';
import { hiddenBid } from '../../domain/bid.visibility.ts';
import { bidView } from '../bid.view.ts';
import { decideFreshly } from '../decide-freshly.ts';
import { lookOf } from '../look.ts';
import { bidOf, tenderOf } from '../path.ts';

/** `GET /tenders/{id}/bids/{bid_id}`: the bid; while sealed only for its own owner, else 403 `bid.sealed`. */
export function getBid(deps: Deps): Handler {
  return async (request, reply) => {
    const tender = await tenderOf(deps, request);
    const bid = await bidOf(deps, request);
    const owns = ownsBy(request.identity, bid.owner, bid.ownerTokenHash);
    const { phase } = await decideFreshly<{ readonly phase: BiddingPhase }>(deps, tender, async (facts) => {
      const look = await lookOf(deps, request, facts);
      const refused = hiddenBid(look, bid, owns);
      return refused === undefined ? look : { refused };
    });
    return sendJson(reply, 200, `{"data":${await bidView(deps, bid, phase)}}`);
  };
}
