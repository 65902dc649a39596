import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { actorOf } from '@procurement/kit/http/actor';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { ViewerContext } from '../domain/bid.visibility.ts';

/** The caller of a request that reads bids of a tender, with the tender's status and phase. */
export async function viewerContext(deps: Deps, request: FastifyRequest, tender: TenderFacts): Promise<ViewerContext> {
  return {
    tenderStatus: tender.status,
    phase: await deps.bids.phase(tender.id),
    actor: actorOf(request.identity),
    settings: deps.settings,
  };
}
