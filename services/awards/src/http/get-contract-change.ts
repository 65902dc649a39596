import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { requireChange, requireContract, idInPath } from './path.ts';
import { readOneHandler } from './read-handler.ts';

/** `GET /contracts/{id}/changes/{id}`. */
export function getContractChange(deps: Deps): Handler {
  return readOneHandler(
    deps,
    ({ state }, request) =>
      requireChange(requireContract(state, idInPath(request, 'contract')), idInPath(request, 'change')),
    (change) => change,
  );
}
