import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { readJsonBody } from '@procurement/kit/http/body';
import { ignoredMembersRefusal } from '@procurement/kit/http/ignored-members';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { bidRoleOf } from '../domain/bid.roles.ts';
import { addReceipt } from './add-receipt.ts';
import { bidView } from './bid.view.ts';
import { ignoredInBid } from './ignored-in-bid.ts';
import { loadBidOfCaller } from './path.ts';
import { bidPrecondition } from './bid.etag.ts';
import { writeBid } from './write-bid.ts';

/**
 * `PATCH /tenders/{id}/bids/{bid_id}`: 200 with the bid after it; also when nothing changed. By its owner, or by the
 * Administrator, who changes the bidder only, once the bids are public (bids-awards-auction.md 1.2).
 */
export function patchBid(deps: Deps): Handler {
  return async (request, reply) => {
    const { tender, bid, isOwner } = await loadBidOfCaller(deps, request);
    const body = readJsonBody(request.headers['content-type'], request.body);
    const actor = actorOf(request.identity);
    const meta = { actor, settings: deps.settings, owns: isOwner };
    const stale = await bidPrecondition(deps, request, bid);
    const ignoredIn = await ignoredInBid(deps, { body, bid, role: bidRoleOf(actor, isOwner) });
    const written = await writeBid(deps, {
      tender,
      bid,
      correlationId: request.id,
      audit: request.audit,
      isDryRun: request.isDryRun,
      precondition: (before, after) =>
        ignoredMembersRefusal(request, reply, ignoredIn(before, after)) ?? stale?.(before, after),
      request: { type: 'ChangeBid', body, meta },
    });
    if (isOwner) await addReceipt(deps, reply, written);
    return sendJson(reply, 200, `{"data":${await bidView(deps, written.bid)}}`);
  };
}
