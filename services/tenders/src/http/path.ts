import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';

/** The id of the tender in the path. Safe cast: the router sets every named parameter of a matched path. */
export function tenderIdOf(request: FastifyRequest): string {
  return (request.params as { tender_id: string }).tender_id;
}

/** The 404 of a path whose tender does not exist (http.md 0.2 step 3); `undefined` for a path without a tender. */
export function tenderMissing(deps: Deps): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    const id = tenderIdOf(request);
    if (id === undefined) return undefined;
    return (await deps.tenders.view(id)) === undefined ? problem('object.not-found', { kind: 'tender' }) : undefined;
  };
}
