import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import type { AwardingState } from '../domain/awarding.ts';
import { changesOf } from '../domain/implementation.changes.ts';
import { executeCommand, findEarlierResult, readWriteInput } from './execute-command.ts';
import { requireChange, requireContract, idInPath } from './path.ts';
import { formatAddress, sendData } from './response.ts';

/** `POST /contracts/{id}/changes`: 201 with the pending change. */
export function createContractChange(deps: Deps): Handler {
  return async (request, reply) => {
    const { body, id } = readWriteInput(deps, request);
    const contractId = idInPath(request, 'contract');
    const has = ({ contracts }: AwardingState): boolean =>
      contracts.some((contract) => contract.id === contractId && changesOf(contract).some((one) => one.id === id));
    const { state } =
      (await findEarlierResult(deps, request, has)) ??
      (await executeCommand(deps, request, (meta) => ({
        type: 'AddContractChange',
        contractId,
        body,
        meta: { ...meta, id },
      })));
    reply.header('location', formatAddress(deps, 'contracts', contractId, 'changes', id));
    return sendData(reply, 201, requireChange(requireContract(state, contractId), id));
  };
}
