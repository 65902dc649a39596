import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ProblemError } from '@procurement/kit/http/problem-error';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { missingLotRefusal } from '../domain/hand-off.decide.ts';

/** Ids named by the path. The router gives text for every named parameter of a matched path. */
function pathIds(request: FastifyRequest): { readonly tender_id: string; readonly auction_lot_id?: string } {
  return request.params as { tender_id: string; auction_lot_id?: string };
}

/** The lot of the path, if it names one. */
export function lotIdOf(request: FastifyRequest): string | undefined {
  return pathIds(request).auction_lot_id;
}

/** The tender of the path, asked from its owner when this service does not know it. Throws 404 `object.not-found`. */
export async function loadTender(deps: Deps, request: FastifyRequest): Promise<TenderFacts> {
  return requireTender(await deps.tenders.find(pathIds(request).tender_id));
}

/**
 * The tender of the path as its owner knows it now: whatever is written is judged by it, so that no copy which lags refuses
 * or accepts. The copy counts while the owner does not answer. Throws 404 `object.not-found`.
 */
export async function loadFreshTender(deps: Deps, request: FastifyRequest): Promise<TenderFacts> {
  return requireTender(await deps.tenders.refresh(pathIds(request).tender_id));
}

function requireTender(tender: TenderFacts | undefined): TenderFacts {
  if (tender === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
  return tender;
}

/** The 404 of a path, outermost object first; undefined when everything that it names exists. */
export function findMissingObject(deps: Deps): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    try {
      const lot = lotIdOf(request);
      const tender = await (lot === undefined ? loadTender(deps, request) : loadFreshTender(deps, request));
      return missingLotRefusal(tender, { lot });
    } catch (error) {
      if (error instanceof ProblemError) return error.problem;
      throw error;
    }
  };
}
