import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { contractView } from '../domain/awarding.view.ts';
import { readHandler } from './read-handler.ts';

/** `GET /tenders/{id}/contracts`: all contracts in order of creation; an empty list in any tender status. */
export function listContracts(deps: Deps): Handler {
  return readHandler(
    deps,
    ({ state }) => state.contracts,
    (contracts, documents) => contracts.map((contract) => contractView(contract, documents)),
  );
}
