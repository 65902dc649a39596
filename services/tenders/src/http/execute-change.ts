import { actorOf } from '@procurement/kit/http/actor';
import { readJsonBody } from '@procurement/kit/http/body';
import { ProblemError } from '@procurement/kit/http/problem-error';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { ChangeSubresource } from '../domain/tender.ts';
import type { ChangedTender } from '../store/tenders.store.ts';
import { tenderIdOf } from './path.ts';

/** Executes one command about the object `id` of the tender in the path. Throws the problem of a refusal. */
export async function executeChange(
  deps: Deps,
  request: FastifyRequest,
  type: ChangeSubresource['type'],
  id: string,
): Promise<ChangedTender> {
  const body = readJsonBody(request.headers['content-type'], request.body);
  const outcome = await deps.tenders.change(tenderIdOf(request), {
    makeCommand: (meta) => ({ type, id, body, meta }),
    actor: actorOf(request.identity),
    requestId: request.id,
    audit: request.audit,
    ids: deps.ids,
  });
  if ('refused' in outcome) throw new ProblemError(outcome.refused);
  return outcome;
}
