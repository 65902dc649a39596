import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Subresource } from '../domain/subresource.ts';
import type { TenderState } from '../domain/tender.ts';
import { tenderIdOf } from './path.ts';

/** The id of the object in the path. Safe cast: the router sets every named parameter of a matched path. */
export function subresourceIdOf(request: FastifyRequest, { kind }: Subresource): string {
  return (request.params as Readonly<Record<string, string>>)[`${kind}_id`] as string;
}

/** The tender in the path. Throws 404 when it does not exist. */
export async function loadTenderState(deps: Deps, request: FastifyRequest): Promise<TenderState> {
  const state = await deps.tenders.state(tenderIdOf(request));
  if (state === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
  return state;
}

/** The 404 of a path whose tender or object does not exist, the tender first (http.md 0.2 steps 3 and 4). */
export function subresourceMissing(
  deps: Deps,
  subresource: Subresource,
): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    const state = await deps.tenders.state(tenderIdOf(request));
    if (state === undefined) return problem('object.not-found', { kind: 'tender' });
    const id = subresourceIdOf(request, subresource);
    const isMissing = id !== undefined && subresource.list(state).every((one) => one.id !== id);
    return isMissing ? problem('object.not-found', { kind: subresource.kind }) : undefined;
  };
}
