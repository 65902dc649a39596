import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { contractView } from '../domain/awarding.view.ts';
import { requireContract, idInPath } from './path.ts';
import { readOneHandler } from './read-handler.ts';

/** `GET /tenders/{id}/contracts/{id}`. */
export function getContract(deps: Deps): Handler {
  return readOneHandler(
    deps,
    ({ state }, request) => requireContract(state, idInPath(request, 'contract')),
    contractView,
  );
}
