import { decideOwnershipChange } from '@procurement/domain/ownership-change';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { admitRequest, takeOver } from '@procurement/kit/http/take-over';
import type { Deps } from '../deps.ts';
import { admitChangeOfComplaintOwner, ownerOfComplaint } from '../domain/complaint.owner.ts';
import { executeCommand } from './execute-command.ts';
import { idInPath, loadPathTender } from './path.ts';
import { sendData } from './response.ts';

/** `POST /tenders/{id}/awards/{id}/complaints/{id}/ownership`: 200 with the complaint's id and its new owner (http.md 3.6). */
export function changeAwardComplaintOwner(deps: Deps): Handler {
  return async (request, reply) => {
    const { tender, state } = await loadPathTender(deps, request);
    const place = { awardId: idInPath(request, 'award'), id: idInPath(request, 'complaint') };
    const found = ownerOfComplaint(state, place);
    if ('refused' in found) throw new ProblemError(found.refused);
    const admission = admitRequest(request, (input) => admitChangeOfComplaintOwner(tender, input));
    const owner = await takeOver(deps, {
      admission,
      path: `/tenders/${tender.id}/awards/${place.awardId}/complaints/${place.id}`,
      isDryRun: request.isDryRun,
      present: found.present,
      decide: decideOwnershipChange,
      store: async (change) =>
        executeCommand(deps, request, (meta) => ({ type: 'ChangeComplaintOwner', ...place, change, meta })),
    });
    return sendData(reply, 200, { id: place.id, owner });
  };
}
