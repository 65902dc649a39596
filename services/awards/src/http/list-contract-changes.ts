import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { changesOf } from '../domain/implementation.changes.ts';
import { requireContract, idInPath } from './path.ts';
import { readHandler } from './read-handler.ts';

/** `GET /contracts/{id}/changes`: all changes in order of creation. */
export function listContractChanges(deps: Deps): Handler {
  return readHandler(
    deps,
    ({ state }, request) => changesOf(requireContract(state, idInPath(request, 'contract'))),
    (changes) => changes,
  );
}
