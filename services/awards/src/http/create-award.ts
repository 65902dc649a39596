import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { awardView } from '../domain/awarding.view.ts';
import { executeCommand, findEarlierResult, readWriteInput, requestsActive } from './execute-command.ts';
import { requireAward } from './path.ts';
import { formatLocation, sendData } from './response.ts';

/** `POST /tenders/{id}/awards`: 201 with the award, for older segments maybe an existing one (bids-awards-auction.md 3.8). */
export function createAward(deps: Deps): Handler {
  return async (request, reply) => {
    const { body, id } = readWriteInput(deps, request);
    const changed =
      (await findEarlierResult(deps, request, ({ awards }) => awards.some((award) => award.id === id))) ??
      (await executeCommand(deps, request, (meta) => ({ type: 'PostAward', body, meta: { ...meta, id } }), {
        needsCopied: requestsActive(body),
      }));
    const award = requireAward(changed.state, changed.awardId ?? id);
    reply.header('location', formatLocation(deps, changed.state.id, 'awards', award.id));
    return sendData(reply, 201, awardView(award, await deps.documents.find(changed.state.id)));
  };
}
