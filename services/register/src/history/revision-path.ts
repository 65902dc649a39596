import { problem, unavailable, type Problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyRequest } from 'fastify';
import type { HistoryDeps } from './deps.ts';
import type { HistoryExtent, StoredRevision } from '../revisions/history.store.ts';

/** Safe cast: the router sets every named parameter of a matched path. */
function pathParametersOf(request: FastifyRequest): { readonly tender_id: string; readonly rev?: string } {
  return request.params as { tender_id: string; rev?: string };
}

export function tenderIdOf(request: FastifyRequest): string {
  return pathParametersOf(request).tender_id;
}

/**
 * Returns which revisions of the tender in the path are kept. Throws 404 for a tender that does not exist or is a draft, and 503 for one
 * that is not here yet, or whose owner cannot be asked (rulings R37).
 */
export async function historyExtent(deps: HistoryDeps, request: FastifyRequest): Promise<HistoryExtent> {
  const id = tenderIdOf(request);
  const missing = problem('object.not-found', { kind: 'tender' });
  if (!/^[0-9a-f]{32}$/.test(id)) throw new ProblemError(missing);
  const extent = await deps.history.extent(id);
  if (extent !== undefined) return extent;
  throw new ProblemError((await deps.isPublic(id)) ? unavailable(1) : missing);
}

/** Finds the refusal of a missing tender, which comes before that of a method without a contract (http.md 0.2 steps 3 to 5). */
export function tenderMissing(deps: HistoryDeps): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    try {
      await historyExtent(deps, request);
      return undefined;
    } catch (error) {
      if (error instanceof ProblemError) return error.problem;
      throw error;
    }
  };
}

/** The revision in the path. Throws 404. */
export async function revisionInPath(deps: HistoryDeps, request: FastifyRequest): Promise<StoredRevision> {
  const { tender_id: id, rev = '' } = pathParametersOf(request);
  // A longer number is no revision, and might not fit into a bigint.
  const found = /^\d{1,15}$/.test(rev) ? await deps.history.revision(id, Number(rev)) : undefined;
  if (found === undefined) throw new ProblemError(problem('revision.not-found'));
  return found;
}
