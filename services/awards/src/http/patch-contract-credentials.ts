import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { executeCommand, readWriteInput, tokenHashesOf } from './execute-command.ts';
import { contractOf, idInPath } from './path.ts';
import { sendData } from './response.ts';
import { standaloneContractView } from './standalone-contract-view.ts';

/**
 * `PATCH /contracts/{id}/credentials`, with the token of the tender: 200 with the contract and a token for it. The body is not
 * read: clients send none or an empty one.
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
    const contract = {
      contract: contractOf(state, id),
      tenderId: state.id,
      owner: state.contractOwners[id]?.owner ?? '',
      isPresent: request.identity.segment === '2.5',
    };
    const view = standaloneContractView(contract, await deps.documents.find(state.id));
    return sendData(reply, 200, view, { token: input.token });
  };
}
