import { editsInAnyStatus } from '@procurement/domain/ignored-members';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { CONTRACT_MEMBERS } from '../domain/contract.change.ts';
import { contractView } from '../domain/awarding.view.ts';
import { executeCommand, readWriteInput } from './execute-command.ts';
import { requireContract, idInPath } from './path.ts';
import { sendData } from './response.ts';

/** `PATCH /tenders/{id}/contracts/{id}`: 200 with the contract. Signing the last contract completes the tender. */
export function patchContract(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = readWriteInput(deps, request);
    const id = idInPath(request, 'contract');
    const { state } = await executeCommand(deps, request, (meta) => ({ type: 'ChangeContract', id, body, meta }), {
      patch: {
        body,
        reply,
        shown: (found, documents) => contractView(requireContract(found, id), documents),
        edits: () => editsInAnyStatus(CONTRACT_MEMBERS),
      },
    });
    return sendData(reply, 200, contractView(requireContract(state, id), await deps.documents.find(state.id)));
  };
}
