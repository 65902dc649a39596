import { etagOfHash, sendTagged } from '@procurement/kit/http/etag';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { requireContract, idInPath, orNotFound } from './path.ts';
import { readOneHandler } from './read-handler.ts';
import { standaloneContractView } from './standalone-contract.ts';

/** `GET /contracts/{id}`: on segment 2.5 the text that was published; on 2.3 it is composed (contracting.md 9.2). */
export function getStandaloneContract(deps: Deps): Handler {
  const composed = readOneHandler(
    deps,
    ({ tender, state }, request) => {
      const { id } = requireContract(state, idInPath(request, 'contract'));
      return { awarding: { ...state, tender }, id, request };
    },
    ({ awarding, id, request }, documents) => standaloneContractView(awarding, id, documents, request),
  );
  return async (request, reply) => {
    if (request.identity.segment !== '2.5') return composed(request, reply);
    const { body, viewHash } = orNotFound(await deps.contracts.view(idInPath(request, 'contract')), 'contract');
    return sendTagged(request, reply, body, etagOfHash(viewHash));
  };
}
