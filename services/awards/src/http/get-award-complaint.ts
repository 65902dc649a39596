import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { complaintView } from '../domain/awarding.view.ts';
import { requireAward, requireComplaint, idInPath } from './path.ts';
import { readOneHandler } from './read-handler.ts';

/** `GET /tenders/{id}/awards/{id}/complaints/{id}`. */
export function getAwardComplaint(deps: Deps): Handler {
  return readOneHandler(
    deps,
    ({ state }, request) =>
      requireComplaint(requireAward(state, idInPath(request, 'award')), idInPath(request, 'complaint')),
    complaintView,
  );
}
