import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import type { AwardingState } from '../domain/awarding.ts';
import { editsOfComplaint } from '../domain/complaint.change.ts';
import { complaintView } from '../domain/awarding.view.ts';
import { executeCommand, readWriteInput } from './execute-command.ts';
import { requireAward, requireComplaint, idInPath } from './path.ts';
import { sendData } from './response.ts';

/** `PATCH /tenders/{id}/awards/{id}/complaints/{id}`: 200 with the changed complaint. */
export function patchAwardComplaint(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = readWriteInput(deps, request);
    const [awardId, id] = [idInPath(request, 'award'), idInPath(request, 'complaint')];
    const complaintIn = (found: AwardingState): StoredComplaint => requireComplaint(requireAward(found, awardId), id);
    const { state } = await executeCommand(
      deps,
      request,
      (meta) => ({ type: 'ChangeComplaint', awardId, id, body, meta }),
      {
        patch: {
          body,
          reply,
          shown: (found, documents) => complaintView(complaintIn(found), documents),
          edits: (before, after, actor) =>
            editsOfComplaint(before, complaintIn(before), complaintIn(after).status, actor),
        },
      },
    );
    return sendData(reply, 200, complaintView(complaintIn(state), await deps.documents.find(state.id)));
  };
}
