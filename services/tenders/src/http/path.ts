import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';

/** The id in the path. The router gives text for every named parameter of a matched path. */
export function tenderIdOf(request: FastifyRequest): string {
  return (request.params as { tender_id: string }).tender_id;
}

/** The 404 of a path whose tender does not exist (http.md 0.2 step 3); a path without a tender lacks nothing. */
export function tenderMissing(deps: Deps): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    const id = tenderIdOf(request);
    if (id === undefined) return undefined;
    return (await deps.tenders.view(id)) === undefined ? problem('object.not-found', { kind: 'tender' }) : undefined;
  };
}
