import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ProblemError } from '@procurement/kit/problem-error';
import { readJsonBody } from '@procurement/kit/request-body';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { isTriedOut } from '../domain/auction-trial.ts';
import { decideHandOff, readWish } from '../domain/hand-off.decide.ts';
import type { OfferedBid, Wish } from '../domain/hand-off.ts';
import { metaOf } from './meta.ts';
import { freshTenderOf, lotIdOf } from './path.ts';

/** What a request wanted, and what it was judged by. */
export interface Accepted {
  readonly tender: TenderFacts;
  readonly wish: Wish;
  readonly bids: readonly OfferedBid[];
  /** Nothing came of it: it was sent for trial. */
  readonly isTrial: boolean;
}

/** Reads, judges and stores what a component publishes or reports. Throws the refusal that stands, 503 while bids are away. */
export async function writeAuction(deps: Deps, request: FastifyRequest, method: 'PATCH' | 'POST'): Promise<Accepted> {
  const tender = await freshTenderOf(deps, request);
  const lot = lotIdOf(request);
  const body = readJsonBody(request.headers['content-type'], request.body);
  const meta = metaOf(deps, request, tender, deps.clock.now());
  const reading = readWish(tender, { method, lot, body }, meta);
  if ('refused' in reading) throw new ProblemError(reading.refused);
  const { wish } = reading;
  const bids = await deps.siblings.offeredBids(tender.id);
  const outcome = await deps.handOff.write({ tender, lot, requestId: request.id }, ({ recorded, addresses, now }) =>
    decideHandOff({ tender, bids, recorded, addresses }, wish, metaOf(deps, request, tender, now)),
  );
  if ('refused' in outcome) throw new ProblemError(outcome.refused);
  return { tender, wish, bids, isTrial: isTriedOut(tender, wish, meta) };
}
