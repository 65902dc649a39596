import type { StoredTransaction } from '@procurement/contracts/resources/transaction';
import { editsInAnyStatus } from '@procurement/domain/ignored-members';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import type { AwardingState } from '../domain/awarding.ts';
import { TRANSACTION_MEMBERS, transactionsOf } from '../domain/implementation.transactions.ts';
import { executeCommand, readWriteInput } from './execute-command.ts';
import { requireContract, idInPath } from './path.ts';
import { sendStandaloneContract } from './standalone-contract.ts';

/** `PUT /contracts/{id}/transactions/{id}`: 200 with the contract. Of a known payment only the status is taken. */
export function putContractTransaction(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = readWriteInput(deps, request);
    const [contractId, id] = [idInPath(request, 'contract'), idInPath(request, 'transaction')];
    const transactionIn = (found: AwardingState): StoredTransaction | undefined =>
      transactionsOf(requireContract(found, contractId)).find((one) => one.id === id);
    const { awarding } = await executeCommand(
      deps,
      request,
      (meta) => ({ type: 'PutTransaction', contractId, id, body, meta }),
      {
        patch: {
          body,
          reply,
          shown: (found) => transactionIn(found),
          edits: (before) => editsInAnyStatus(transactionIn(before) === undefined ? TRANSACTION_MEMBERS : ['status']),
        },
      },
    );
    return sendStandaloneContract(deps, request, reply, { awarding, id: contractId });
  };
}
