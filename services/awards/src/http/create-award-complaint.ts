import { selectAccessTokens } from '@procurement/kit/http/access';
import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { executeCommand, findEarlierResult, readWriteInput, tokenHashesOf } from './execute-command.ts';
import { awardOf, complaintOf, idInPath, findTenderId } from './path.ts';
import { locationOf, sendData } from './response.ts';

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
        meta: { ...meta, id, bidders, ...tokenHashesOf(input) },
      })));
    reply.header('location', locationOf(deps, state.id, 'awards', awardId, 'complaints', id));
    return sendData(reply, 201, complaintOf(awardOf(state, awardId), id), selectAccessTokens(request, input));
  };
}
