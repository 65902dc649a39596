import type { Handler } from '@procurement/kit/mount';
import type { Deps } from '../../deps.ts';
import { contractView } from '../../domain/awarding.view.ts';
import { addressOf, answerWith, documentsOf } from '../answer.ts';
import { contractOf, foundBy, idOf } from '../path.ts';
import { madeBefore, write, writtenBy } from '../write.ts';

/** `GET /tenders/{id}/contracts`: all, in the order of creation; none is an empty list, in any status of the tender. */
export function listContracts(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await foundBy(deps, request);
    const documents = await documentsOf(deps, state.id);
    return answerWith(
      reply,
      200,
      state.contracts.map((contract) => contractView(contract, documents)),
    );
  };
}

/** `GET /tenders/{id}/contracts/{id}`. */
export function getContract(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await foundBy(deps, request);
    const contract = contractOf(state, idOf(request, 'contract'));
    return answerWith(reply, 200, contractView(contract, await documentsOf(deps, state.id)));
  };
}

/** `POST /tenders/{id}/contracts`: for administrators of the service. */
export function createContract(deps: Deps): Handler {
  return async (request, reply) => {
    const { body, id } = writtenBy(deps, request);
    const { state } =
      (await madeBefore(deps, request, ({ contracts }) => contracts.some((contract) => contract.id === id))) ??
      (await write(deps, request, (meta) => ({ type: 'PostContract', body, meta: { ...meta, id } }), {
        needsItems: true,
      }));
    reply.header('location', addressOf(deps, state.id, 'contracts', id));
    return answerWith(reply, 201, contractOf(state, id));
  };
}

/** `PATCH /tenders/{id}/contracts/{id}`: 200 with the contract; signing the last one completes the tender. */
export function patchContract(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = writtenBy(deps, request);
    const id = idOf(request, 'contract');
    const { state } = await write(deps, request, (meta) => ({ type: 'ChangeContract', id, body, meta }));
    return answerWith(reply, 200, contractView(contractOf(state, id), await documentsOf(deps, state.id)));
  };
}
