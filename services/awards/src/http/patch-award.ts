import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { editsOfAward } from '../domain/award.change.ts';
import { awardView } from '../domain/awarding.view.ts';
import type { ChangedAwarding } from '../store/awardings.store.ts';
import { executeCommand, readWriteInput, requestsActive } from './execute-command.ts';
import { requireAward, idInPath } from './path.ts';
import { formatLocation, sendData } from './response.ts';

/**
 * `PATCH /tenders/{id}/awards/{id}`: 200 with the award. `Location` is the next pending award, if the change created one
 * (bids-awards-auction.md 3.2).
 */
export function patchAward(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = readWriteInput(deps, request);
    const id = idInPath(request, 'award');
    const changed = await executeCommand(deps, request, (meta) => ({ type: 'ChangeAward', id, body, meta }), {
      needsCopied: requestsActive(body),
      patch: {
        body,
        reply,
        shown: (state, documents) => awardView(requireAward(state, id), documents),
        edits: (before, _after, actor) => editsOfAward(before, requireAward(before, id), actor),
      },
    });
    const nextId = nextAwardId(changed);
    if (nextId !== undefined) reply.header('location', formatLocation(deps, changed.state.id, 'awards', nextId));
    const award = requireAward(changed.state, id);
    return sendData(reply, 200, awardView(award, await deps.documents.find(changed.state.id)));
  };
}

function nextAwardId({ before, state }: ChangedAwarding): string | undefined {
  return state.awards[before.awards.length]?.id;
}
