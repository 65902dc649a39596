import type { Instant } from '@procurement/contracts/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { actorOf } from '@procurement/kit/actor';
import { ownsBy } from '@procurement/kit/ownership';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { HandOffMeta } from '../domain/hand-off.ts';
import { tenderTime } from '../domain/tender-time.ts';

/** Who asks, and when in the time of the tender; `now` is everybody's. */
export function metaOf(deps: Deps, request: FastifyRequest, tender: TenderFacts, now: Instant): HandOffMeta {
  return {
    now: tenderTime(now, tender),
    actor: actorOf(request.identity),
    ownsTender: ownsBy(request.identity, tender.owner, tender.ownerTokenHash),
    settings: deps.settings,
  };
}
