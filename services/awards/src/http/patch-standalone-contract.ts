import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { editsOfStandaloneContract } from '../domain/contract.standalone.ts';
import { presentContract } from '../domain/implementation.view.ts';
import { executeCommand, readWriteInput } from './execute-command.ts';
import { requireContract, idInPath } from './path.ts';
import { sendStandaloneContract, standaloneContractView } from './standalone-contract.ts';

/** `PATCH /contracts/{id}`: 200 with the contract as it is now. Signs it, changes it after that, or ends it (contracting.md 4). */
export function patchStandaloneContract(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = readWriteInput(deps, request);
    const id = idInPath(request, 'contract');
    const { awarding } = await executeCommand(
      deps,
      request,
      (meta) => ({ type: 'ChangeStandaloneContract', id, body, meta }),
      {
        patch: {
          body,
          reply,
          shown: (found, documents) => standaloneContractView(found, id, documents, request),
          edits: (before) => editsOfStandaloneContract(presentContract(requireContract(before, id)).status),
        },
      },
    );
    return sendStandaloneContract(deps, request, reply, { awarding, id });
  };
}
