import type { Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { actorOf } from '@procurement/kit/http/actor';
import { owns } from '@procurement/domain/ownership';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { HandOffMeta } from '../domain/hand-off.ts';
import { tenderTime } from '@procurement/domain/tender-time';

/** The meta of a decision. `now` is real time and becomes tender time. */
export function buildMeta(deps: Deps, request: FastifyRequest, tender: TenderFacts, now: Instant): HandOffMeta {
  return {
    now: tenderTime(now, tender),
    actor: actorOf(request.identity),
    ownsTender: owns(request.identity, { owner: tender.owner, tokenHash: tender.ownerTokenHash }),
    settings: deps.settings,
  };
}
