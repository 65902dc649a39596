import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { complaintView } from '../domain/awarding.view.ts';
import { executeCommand, readWriteInput } from './execute-command.ts';
import { awardOf, complaintOf, idInPath } from './path.ts';
import { sendData } from './response.ts';

/** `PATCH /tenders/{id}/awards/{id}/complaints/{id}`: 200 with the changed complaint. */
export function patchAwardComplaint(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = readWriteInput(deps, request);
    const [awardId, id] = [idInPath(request, 'award'), idInPath(request, 'complaint')];
    const { state } = await executeCommand(
      deps,
      request,
      (meta) => ({ type: 'ChangeComplaint', awardId, id, body, meta }),
      { shown: (found, documents) => complaintView(complaintOf(awardOf(found.state, awardId), id), documents) },
    );
    const complaint = complaintOf(awardOf(state, awardId), id);
    return sendData(reply, 200, complaintView(complaint, await deps.documents.find(state.id)));
  };
}
