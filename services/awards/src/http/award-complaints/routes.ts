import type { Handler } from '@procurement/kit/mount';
import type { Deps } from '../../deps.ts';
import { complaintView } from '../../domain/awarding.view.ts';
import { accessOf, addressOf, answerWith, documentsOf } from '../answer.ts';
import { awardOf, complaintOf, foundBy, idOf, tenderIdOf } from '../path.ts';
import { hashesOf, madeBefore, write, writtenBy } from '../write.ts';

/** `GET .../awards/{id}/complaints`: all of an award, in the order of creation. */
export function listAwardComplaints(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await foundBy(deps, request);
    const { complaints = [] } = awardOf(state, idOf(request, 'award'));
    const documents = await documentsOf(deps, state.id);
    return answerWith(
      reply,
      200,
      complaints.map((complaint) => complaintView(complaint, documents)),
    );
  };
}

/** `GET .../awards/{id}/complaints/{id}`. */
export function getAwardComplaint(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await foundBy(deps, request);
    const complaint = complaintOf(awardOf(state, idOf(request, 'award')), idOf(request, 'complaint'));
    return answerWith(reply, 200, complaintView(complaint, await documentsOf(deps, state.id)));
  };
}

/** `POST .../awards/{id}/complaints`: 201 with the claim, its `Location`, and its tokens, shown this once. */
export function createAwardComplaint(deps: Deps): Handler {
  return async (request, reply) => {
    const written = writtenBy(deps, request);
    const { body, id } = written;
    const awardId = idOf(request, 'award');
    const bidders = await deps.biddersOf(await tenderIdOf(deps, request));
    const { state } =
      (await madeBefore(deps, request, ({ awards }) =>
        awards.some((award) => award.complaints?.some((complaint) => complaint.id === id)),
      )) ??
      (await write(deps, request, (meta) => ({
        type: 'FileComplaint',
        awardId,
        body,
        meta: { ...meta, id, bidders, ...hashesOf(written) },
      })));
    reply.header('location', addressOf(deps, state.id, 'awards', awardId, 'complaints', id));
    return answerWith(reply, 201, complaintOf(awardOf(state, awardId), id), accessOf(request, written));
  };
}

/** `PATCH .../awards/{id}/complaints/{id}`: 200 with the complaint as it then is. */
export function patchAwardComplaint(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = writtenBy(deps, request);
    const [awardId, id] = [idOf(request, 'award'), idOf(request, 'complaint')];
    const { state } = await write(deps, request, (meta) => ({ type: 'ChangeComplaint', awardId, id, body, meta }));
    const complaint = complaintOf(awardOf(state, awardId), id);
    return answerWith(reply, 200, complaintView(complaint, await documentsOf(deps, state.id)));
  };
}
