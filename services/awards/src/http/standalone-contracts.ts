import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import type { AwardingState } from '../domain/awarding.ts';
import { contractView } from '../domain/awarding.view.ts';
import { sendData, findDocuments } from './response.ts';
import { contractOf, loadPathTender, idInPath } from './path.ts';
import { tokenHashesOf, executeCommand, readWriteInput } from './execute-command.ts';

/** `GET /contracts/{id}`: a contract by its own address, with the tender that it came of (clients.md). */
export function getStandaloneContract(deps: Deps): Handler {
  return async (request, reply) => {
    const { tender, state } = await loadPathTender(deps, request);
    return sendData(reply, 200, await standaloneContractView(deps, tender.owner, state, idInPath(request, 'contract')));
  };
}

/**
 * `PATCH /contracts/{id}/credentials`, with the token of the tender: 200 with the contract, and a token for it. The body is
 * not read: clients send none, or an empty one.
 */
export function patchContractCredentials(deps: Deps): Handler {
  return async (request, reply) => {
    const id = idInPath(request, 'contract');
    const input = readWriteInput(deps, request);
    const { tokenHash } = tokenHashesOf(input);
    const { state } = await executeCommand(deps, request, (meta) => ({
      type: 'IssueCredentials',
      id,
      meta: { ...meta, tokenHash },
    }));
    const owner = state.contractOwners[id]?.owner ?? '';
    return sendData(reply, 200, await standaloneContractView(deps, owner, state, id), { token: input.token });
  };
}

async function standaloneContractView(
  deps: Deps,
  owner: TenderFacts['owner'],
  state: AwardingState,
  id: string,
): Promise<Readonly<Record<string, unknown>>> {
  const view = contractView(contractOf(state, id), await findDocuments(deps, state.id));
  return { ...view, tender_id: state.id, owner };
}
