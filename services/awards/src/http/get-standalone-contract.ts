import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { idInPath } from './path.ts';
import { readOneHandler } from './read-handler.ts';
import { standaloneContractIn, standaloneContractView } from './standalone-contract-view.ts';

/** `GET /contracts/{id}`: a contract by its own address (clients.md). */
export function getStandaloneContract(deps: Deps): Handler {
  return readOneHandler(
    deps,
    ({ tender, state }, request) => standaloneContractIn({ ...state, tender }, idInPath(request, 'contract'), request),
    standaloneContractView,
  );
}
