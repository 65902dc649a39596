import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { contractOf, idInPath, transactionOf } from './path.ts';
import { readOneHandler } from './read-handler.ts';

/** `GET /contracts/{id}/transactions/{id}`. */
export function getContractTransaction(deps: Deps): Handler {
  return readOneHandler(
    deps,
    ({ state }, request) =>
      transactionOf(contractOf(state, idInPath(request, 'contract')), idInPath(request, 'transaction')),
    (transaction) => transaction,
  );
}
