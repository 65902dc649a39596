import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { newestPendingAward } from '../domain/auction-outcome.ts';
import { awaitOutcome } from './await-view.ts';
import { writeAuction } from './write-auction.ts';

/**
 * `POST /tenders/{id}/auction[/{lot}]`: reports results once; a repeat is answered again (bids-awards-auction.md 2.5, 2.6).
 * Answers the public view of the tender after that, with `Location` of the newest pending award.
 */
export function reportAuction(deps: Deps): Handler {
  return async (request, reply) => {
    const { tender, command } = await writeAuction(deps, request, 'POST');
    const { text, publicTender } = await (request.isDryRun
      ? deps.otherServices.view(tender.id, request)
      : awaitOutcome(deps, tender.id, command, request));
    const award = newestPendingAward(publicTender, command);
    const collection = `${deps.config.PUBLIC_BASE_URL}/api/2.5/tenders/${tender.id}/awards`;
    if (award !== undefined) reply.header('location', `${collection}/${award.id}`);
    return sendJson(reply, 200, text);
  };
}
