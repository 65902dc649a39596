import { decideOwnershipChange } from '@procurement/domain/ownership-change';
import type { Handler } from '@procurement/kit/http/mount';
import { admitRequest, takeOver } from '@procurement/kit/http/take-over';
import type { Deps } from '../deps.ts';
import { admitChangeOfContractOwner, ownershipOfContract } from '../domain/contract.owner.ts';
import { executeCommand } from './execute-command.ts';
import { idInPath, loadPathTender } from './path.ts';
import { sendData } from './response.ts';

/** `POST /contracts/{id}/ownership`: 200 with the contract's id and its new owner (contracting.md 8). */
export function changeContractOwner(deps: Deps): Handler {
  return async (request, reply) => {
    const { tender, state } = await loadPathTender(deps, request);
    const awarding = { ...state, tender };
    const id = idInPath(request, 'contract');
    const owner = await takeOver(deps, {
      admission: admitRequest(request, (input) => admitChangeOfContractOwner(awarding, id, input)),
      path: `/contracts/${id}`,
      isDryRun: request.isDryRun,
      present: ownershipOfContract(awarding, id),
      decide: decideOwnershipChange,
      store: async (change) =>
        executeCommand(deps, request, (meta) => ({ type: 'ChangeContractOwner', id, change, meta })),
    });
    return sendData(reply, 200, { id, owner });
  };
}
