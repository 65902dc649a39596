import { actorOf } from '@procurement/kit/http/actor';
import { readJsonBody } from '@procurement/kit/http/body';
import { preconditionRefusal } from '@procurement/kit/http/etag';
import { ignoredMembersRefusal } from '@procurement/kit/http/ignored-members';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Subresource } from '../domain/subresource.ts';
import type { ChangeSubresource } from '../domain/tender.ts';
import type { ChangedTender } from '../store/tenders.store.ts';
import { changeByRequest } from './change-by-request.ts';
import { ignoredInSubresource } from './ignored-in-tender.ts';
import { subresourceEtag } from './subresource-response.ts';

export interface SubresourceChange {
  readonly subresource: Subresource;
  readonly type: ChangeSubresource['type'];
  readonly id: string;
}

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Executes one command about the object `id` of the tender in the path. Throws the problem of a refusal. */
export async function executeChange(
  deps: Deps,
  { request, reply }: Exchange,
  change: SubresourceChange,
): Promise<ChangedTender> {
  const { subresource, type, id } = change;
  const body = readJsonBody(request.headers['content-type'], request.body);
  const actor = actorOf(request.identity);
  return changeByRequest(deps, request, {
    makeCommand: (meta) => ({ type, id, body, meta }),
    precondition: ({ state: before }, after) =>
      ignoredMembersRefusal(request, reply, ignoredInSubresource(deps, change, { body, actor, before, after })) ??
      preconditionRefusal(request, () => subresourceEtag(deps, subresource, before, id)),
  });
}
