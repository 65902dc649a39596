import { etagOfHash, sendTagged } from '@procurement/kit/http/etag';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import type { Documents } from '../domain/awarding.view.ts';
import { idInPath, orNotFound } from './path.ts';
import { readOneHandler } from './read-handler.ts';
import { standaloneContractView } from './standalone-contract.ts';

/** `GET /contracts/{id}`: on segment 2.5 the text that was published; on 2.3 it is composed (contracting.md 9.2). */
export function getStandaloneContract(deps: Deps): Handler {
  const composed = readOneHandler(
    deps,
    ({ tender, state }, request) =>
      (documents: Documents) =>
        standaloneContractView({ ...state, tender }, idInPath(request, 'contract'), documents, request),
    (view, documents) => view(documents),
  );
  return async (request, reply) => {
    if (request.identity.segment !== '2.5') return composed(request, reply);
    const { body, viewHash } = orNotFound(await deps.contracts.view(idInPath(request, 'contract')), 'contract');
    return sendTagged(request, reply, body, etagOfHash(viewHash));
  };
}
