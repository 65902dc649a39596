import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { contractOf, idInPath } from './path.ts';
import { readOneHandler } from './read-handler.ts';
import { standaloneContractView } from './standalone-contract-view.ts';

/** `GET /contracts/{id}`: a contract by its own address (clients.md). */
export function getStandaloneContract(deps: Deps): Handler {
  return readOneHandler(
    deps,
    ({ tender, state }, request) => ({
      contract: contractOf(state, idInPath(request, 'contract')),
      tenderId: state.id,
      owner: tender.owner,
    }),
    standaloneContractView,
  );
}
