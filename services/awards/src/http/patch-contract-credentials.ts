import { selectAccessTokens } from '@procurement/kit/http/access';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { executeCommand, readWriteInput, hashTokens } from './execute-command.ts';
import { idInPath } from './path.ts';
import { sendStandaloneContract } from './standalone-contract.ts';

/**
 * `PATCH /contracts/{id}/credentials`, with the token of the tender: 200 with the contract and a token for it. The body is not
 * read: clients send none or an empty one.
 */
export function patchContractCredentials(deps: Deps): Handler {
  return async (request, reply) => {
    const id = idInPath(request, 'contract');
    const input = readWriteInput(deps, request);
    const { awarding } = await executeCommand(deps, request, (meta) => ({
      type: 'IssueCredentials',
      id,
      meta: { ...meta, ...hashTokens(input) },
    }));
    const access = selectAccessTokens(request, input);
    return sendStandaloneContract(deps, request, reply, { awarding, id, access });
  };
}
