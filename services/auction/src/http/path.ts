import { problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { missingLotRefusal } from '../domain/hand-off.decide.ts';

/** The ids in the path. The router sets a string for every named parameter of a matched path. */
function pathIds(request: FastifyRequest): { readonly tender_id: string; readonly auction_lot_id?: string } {
  return request.params as { tender_id: string; auction_lot_id?: string };
}

/** The id of the lot in the path, if any. */
export function lotIdOf(request: FastifyRequest): string | undefined {
  return pathIds(request).auction_lot_id;
}

/**
 * The tender of the path from the replica, or requested from the tenders service. Throws 404 `object.not-found`, UnavailableError
 * (503) when that service does not answer in time.
 */
export async function loadTender(deps: Deps, request: FastifyRequest): Promise<TenderFacts> {
  return requireTender(await deps.tenders.find(pathIds(request).tender_id, request));
}

/**
 * The tender of the path as the tenders service has it now, so that no write is judged by a stale copy
 * (docs/decisions/0029-ask-before-refusing.md). The copy counts while that service is unavailable. Throws as `loadTender`.
 */
export async function loadFreshTender(deps: Deps, request: FastifyRequest): Promise<TenderFacts> {
  return requireTender(await deps.tenders.refresh(pathIds(request).tender_id, request));
}

function requireTender(tender: TenderFacts | undefined): TenderFacts {
  if (tender === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
  return tender;
}

/**
 * Throws the 404 of the outermost object in the path that does not exist; `mountContracts` calls it before it answers 405
 * (http.md 0.2 steps 3, 4).
 */
export function requirePathObjects(deps: Deps): (request: FastifyRequest) => Promise<undefined> {
  return async (request) => {
    const lot = lotIdOf(request);
    const tender = await (lot === undefined ? loadTender(deps, request) : loadFreshTender(deps, request));
    const refusal = missingLotRefusal(tender, { lot });
    if (refusal !== undefined) throw new ProblemError(refusal);
    return undefined;
  };
}
