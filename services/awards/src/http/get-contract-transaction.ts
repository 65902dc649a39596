import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { requireContract, idInPath, requireTransaction } from './path.ts';
import { readOneHandler } from './read-handler.ts';

/** `GET /contracts/{id}/transactions/{id}`. */
export function getContractTransaction(deps: Deps): Handler {
  return readOneHandler(
    deps,
    ({ state }, request) =>
      requireTransaction(requireContract(state, idInPath(request, 'contract')), idInPath(request, 'transaction')),
    (transaction) => transaction,
  );
}
