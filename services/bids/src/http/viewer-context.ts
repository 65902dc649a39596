import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { actorOf } from '@procurement/kit/http/actor';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { ViewerContext } from '../domain/bid.visibility.ts';

/** Who looks at the bids of a tender by this request, and how far their bidding has come. */
export async function viewerContext(deps: Deps, request: FastifyRequest, tender: TenderFacts): Promise<ViewerContext> {
  return {
    tenderStatus: tender.status,
    phase: await deps.bids.phase(tender.id),
    actor: actorOf(request.identity),
    settings: deps.settings,
  };
}
