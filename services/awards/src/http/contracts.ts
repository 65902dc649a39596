import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { contractView } from '../domain/awarding.view.ts';
import { locationOf, sendData, findDocuments } from './response.ts';
import { contractOf, loadPathTender, idInPath } from './path.ts';
import { findEarlierResult, executeCommand, readWriteInput } from './execute-command.ts';

/** `GET /tenders/{id}/contracts`: all, in the order of creation; none is an empty list, in any status of the tender. */
export function listContracts(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await loadPathTender(deps, request);
    const documents = await findDocuments(deps, state.id);
    return sendData(
      reply,
      200,
      state.contracts.map((contract) => contractView(contract, documents)),
    );
  };
}

/** `GET /tenders/{id}/contracts/{id}`. */
export function getContract(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await loadPathTender(deps, request);
    const contract = contractOf(state, idInPath(request, 'contract'));
    return sendData(reply, 200, contractView(contract, await findDocuments(deps, state.id)));
  };
}

/** `POST /tenders/{id}/contracts`: for administrators of the service. */
export function createContract(deps: Deps): Handler {
  return async (request, reply) => {
    const { body, id } = readWriteInput(deps, request);
    const { state } =
      (await findEarlierResult(deps, request, ({ contracts }) => contracts.some((contract) => contract.id === id))) ??
      (await executeCommand(deps, request, (meta) => ({ type: 'PostContract', body, meta: { ...meta, id } }), {
        needsItems: true,
      }));
    reply.header('location', locationOf(deps, state.id, 'contracts', id));
    return sendData(reply, 201, contractOf(state, id));
  };
}

/** `PATCH /tenders/{id}/contracts/{id}`: 200 with the contract; signing the last one completes the tender. */
export function patchContract(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = readWriteInput(deps, request);
    const id = idInPath(request, 'contract');
    const { state } = await executeCommand(deps, request, (meta) => ({ type: 'ChangeContract', id, body, meta }));
    return sendData(reply, 200, contractView(contractOf(state, id), await findDocuments(deps, state.id)));
  };
}
