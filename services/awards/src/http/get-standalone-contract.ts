import { problem } from '@procurement/contracts/problems/problems';
import { etagOf, etagOfHash, sendTagged } from '@procurement/kit/http/etag';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Deps } from '../deps.ts';
import { idInPath, loadPathTender } from './path.ts';
import { dataText } from './response.ts';
import { standaloneContractView } from './standalone-contract.ts';

/** `GET /contracts/{id}`: on segment 2.5 the text that was published; on 2.3 it is composed (contracting.md 9.2). */
export function getStandaloneContract(deps: Deps): Handler {
  return async (request, reply) => {
    const id = idInPath(request, 'contract');
    if (request.identity.segment === '2.5') {
      const published = await deps.contracts.view(id);
      if (published === undefined) throw new ProblemError(problem('object.not-found', { kind: 'contract' }));
      return sendTagged(request, reply, published.body, etagOfHash(published.viewHash));
    }
    const { tender, state } = await loadPathTender(deps, request);
    const documents = await deps.documents.find(state.id);
    const text = dataText(standaloneContractView({ ...state, tender }, id, documents, request));
    return sendTagged(request, reply, text, etagOf(text));
  };
}
