import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { complaintView } from '../domain/awarding.view.ts';
import { accessTokensOf, locationOf, sendData, findDocuments } from './response.ts';
import { awardOf, complaintOf, loadPathTender, idInPath, tenderIdOf } from './path.ts';
import { tokenHashesOf, findEarlierResult, executeCommand, readWriteInput } from './execute-command.ts';

/** `GET .../awards/{id}/complaints`: all of an award, in the order of creation. */
export function listAwardComplaints(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await loadPathTender(deps, request);
    const { complaints = [] } = awardOf(state, idInPath(request, 'award'));
    const documents = await findDocuments(deps, state.id);
    return sendData(
      reply,
      200,
      complaints.map((complaint) => complaintView(complaint, documents)),
    );
  };
}

/** `GET .../awards/{id}/complaints/{id}`. */
export function getAwardComplaint(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await loadPathTender(deps, request);
    const complaint = complaintOf(awardOf(state, idInPath(request, 'award')), idInPath(request, 'complaint'));
    return sendData(reply, 200, complaintView(complaint, await findDocuments(deps, state.id)));
  };
}

/** `POST .../awards/{id}/complaints`: 201 with the claim, its `Location`, and its tokens, shown this once. */
export function createAwardComplaint(deps: Deps): Handler {
  return async (request, reply) => {
    const input = readWriteInput(deps, request);
    const { body, id } = input;
    const awardId = idInPath(request, 'award');
    const bidders = await deps.biddersOf(await tenderIdOf(deps, request));
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
    return sendData(reply, 201, complaintOf(awardOf(state, awardId), id), accessTokensOf(request, input));
  };
}

/** `PATCH .../awards/{id}/complaints/{id}`: 200 with the complaint as it then is. */
export function patchAwardComplaint(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = readWriteInput(deps, request);
    const [awardId, id] = [idInPath(request, 'award'), idInPath(request, 'complaint')];
    const { state } = await executeCommand(deps, request, (meta) => ({
      type: 'ChangeComplaint',
      awardId,
      id,
      body,
      meta,
    }));
    const complaint = complaintOf(awardOf(state, awardId), id);
    return sendData(reply, 200, complaintView(complaint, await findDocuments(deps, state.id)));
  };
}
