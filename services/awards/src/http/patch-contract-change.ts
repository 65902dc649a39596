import { CHANGE_STATUSES, type StoredContractChange } from '@procurement/contracts/resources/contract-change';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import type { AwardingState } from '../domain/awarding.ts';
import { CHANGE_MEMBERS } from '../domain/implementation.changes.ts';
import { executeCommand, readWriteInput } from './execute-command.ts';
import { requireChange, requireContract, idInPath } from './path.ts';
import { sendData } from './response.ts';

const EDITED = [...CHANGE_MEMBERS, 'status'];

/** `PATCH /contracts/{id}/changes/{id}`: 200 with the change. `status: active` closes it. */
export function patchContractChange(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = readWriteInput(deps, request);
    const [contractId, id] = [idInPath(request, 'contract'), idInPath(request, 'change')];
    const changeIn = (found: AwardingState): StoredContractChange =>
      requireChange(requireContract(found, contractId), id);
    const { state } = await executeCommand(
      deps,
      request,
      (meta) => ({ type: 'ChangeContractChange', contractId, id, body, meta }),
      {
        patch: {
          body,
          reply,
          shown: (found) => ({ ...changeIn(found) }),
          edits: (before) => ({
            status: changeIn(before).status,
            statuses: CHANGE_STATUSES,
            membersIn: (status) => (status === 'pending' ? EDITED : []),
          }),
        },
      },
    );
    return sendData(reply, 200, changeIn(state));
  };
}
