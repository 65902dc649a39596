import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Handler } from '@procurement/kit/mount';
import type { Deps } from '../../deps.ts';
import type { AwardingState } from '../../domain/awarding.ts';
import { contractView } from '../../domain/awarding.view.ts';
import { answerWith, documentsOf } from '../answer.ts';
import { contractOf, foundBy, idOf } from '../path.ts';
import { hashesOf, write, writtenBy } from '../write.ts';

/** `GET /contracts/{id}`: a contract by its own address, with the tender that it came of (clients.md). */
export function getStandaloneContract(deps: Deps): Handler {
  return async (request, reply) => {
    const { tender, state } = await foundBy(deps, request);
    return answerWith(reply, 200, await standalone(deps, tender.owner, state, idOf(request, 'contract')));
  };
}

/**
 * `PATCH /contracts/{id}/credentials`, with the token of the tender: 200 with the contract, and a token for it. The body is
 * not read: clients send none, or an empty one.
 */
export function patchContractCredentials(deps: Deps): Handler {
  return async (request, reply) => {
    const id = idOf(request, 'contract');
    const written = writtenBy(deps, request);
    const { tokenHash } = hashesOf(written);
    const { state } = await write(deps, request, (meta) => ({
      type: 'IssueCredentials',
      id,
      meta: { ...meta, tokenHash },
    }));
    const owner = state.contractOwners[id]?.owner ?? '';
    return answerWith(reply, 200, await standalone(deps, owner, state, id), { token: written.token });
  };
}

async function standalone(
  deps: Deps,
  owner: TenderFacts['owner'],
  state: AwardingState,
  id: string,
): Promise<Readonly<Record<string, unknown>>> {
  const view = contractView(contractOf(state, id), await documentsOf(deps, state.id));
  return { ...view, tender_id: state.id, owner };
}
