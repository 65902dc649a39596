import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { complaintView } from '../domain/awarding.view.ts';
import { requireAward, idInPath } from './path.ts';
import { readHandler } from './read-handler.ts';

/** `GET /tenders/{id}/awards/{id}/complaints`: all complaints about an award, in order of creation. */
export function listAwardComplaints(deps: Deps): Handler {
  return readHandler(
    deps,
    ({ state }, request) => requireAward(state, idInPath(request, 'award')).complaints ?? [],
    (complaints, documents) => complaints.map((complaint) => complaintView(complaint, documents)),
  );
}
