import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { executeCommand, findEarlierResult, readWriteInput } from './execute-command.ts';
import { requireContract } from './path.ts';
import { formatLocation, sendData } from './response.ts';

/** `POST /tenders/{id}/contracts`: 201 with the contract; administrators of the service only. */
export function createContract(deps: Deps): Handler {
  return async (request, reply) => {
    const { body, id } = readWriteInput(deps, request);
    const { state } =
      (await findEarlierResult(deps, request, ({ contracts }) => contracts.some((contract) => contract.id === id))) ??
      (await executeCommand(deps, request, (meta) => ({ type: 'PostContract', body, meta: { ...meta, id } }), {
        needsCopied: true,
      }));
    reply.header('location', formatLocation(deps, state.id, 'contracts', id));
    return sendData(reply, 201, requireContract(state, id));
  };
}
