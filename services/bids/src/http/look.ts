import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { actorOf } from '@procurement/kit/actor';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Look } from '../domain/bid.visibility.ts';

/** Who looks at the bids of a tender by this request, and how far their bidding has come. */
export async function lookOf(deps: Deps, request: FastifyRequest, tender: TenderFacts): Promise<Look> {
  return {
    tenderStatus: tender.status,
    phase: await deps.bids.phase(tender.id),
    actor: actorOf(request.identity),
    settings: deps.settings,
  };
}
