import { actorOf } from '@procurement/kit/http/actor';
import { readJsonBody } from '@procurement/kit/http/body';
import { preconditionRefusal } from '@procurement/kit/http/etag';
import { ProblemError } from '@procurement/kit/http/problem-error';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Subresource } from '../domain/subresource.ts';
import type { ChangeSubresource } from '../domain/tender.ts';
import type { ChangedTender } from '../store/tenders.store.ts';
import { tenderIdOf } from './path.ts';
import { subresourceEtag } from './subresource-response.ts';

export interface SubresourceChange {
  readonly subresource: Subresource;
  readonly type: ChangeSubresource['type'];
  readonly id: string;
}

/** Executes one command about the object `id` of the tender in the path. Throws the problem of a refusal. */
export async function executeChange(
  deps: Deps,
  request: FastifyRequest,
  { subresource, type, id }: SubresourceChange,
): Promise<ChangedTender> {
  const body = readJsonBody(request.headers['content-type'], request.body);
  const outcome = await deps.tenders.change(tenderIdOf(request), {
    makeCommand: (meta) => ({ type, id, body, meta }),
    actor: actorOf(request.identity),
    requestId: request.id,
    audit: request.audit,
    ids: deps.ids,
    isDryRun: request.isDryRun,
    precondition: ({ state }) => preconditionRefusal(request, () => subresourceEtag(deps, subresource, state, id)),
  });
  if ('refused' in outcome) throw new ProblemError(outcome.refused);
  return outcome;
}
