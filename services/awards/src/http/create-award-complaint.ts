import { selectAccessTokens } from '@procurement/kit/http/access';
import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { executeCommand, findEarlierResult, readWriteInput, hashTokens } from './execute-command.ts';
import { requireAward, requireComplaint, idInPath, findTenderId } from './path.ts';
import { formatLocation, sendData } from './response.ts';

/** `POST /tenders/{id}/awards/{id}/complaints`: 201 with the claim, its `Location`, and its tokens, shown this once. */
export function createAwardComplaint(deps: Deps): Handler {
  return async (request, reply) => {
    const input = readWriteInput(deps, request);
    const { body, id } = input;
    const awardId = idInPath(request, 'award');
    const bidders = await deps.biddersOf(await findTenderId(deps, request), actorOf(request.identity));
    const { state } =
      (await findEarlierResult(deps, request, ({ awards }) =>
        awards.some((award) => award.complaints?.some((complaint) => complaint.id === id)),
      )) ??
      (await executeCommand(deps, request, (meta) => ({
        type: 'FileComplaint',
        awardId,
        body,
        meta: { ...meta, id, bidders, ...hashTokens(input) },
      })));
    reply.header('location', formatLocation(deps, state.id, 'awards', awardId, 'complaints', id));
    return sendData(reply, 201, requireComplaint(requireAward(state, awardId), id), selectAccessTokens(request, input));
  };
}
