import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { awardView } from '../domain/awarding.view.ts';
import { requireAward, idInPath } from './path.ts';
import { readOneHandler } from './read-handler.ts';

/** `GET /tenders/{id}/awards/{id}`. */
export function getAward(deps: Deps): Handler {
  return readOneHandler(deps, ({ state }, request) => requireAward(state, idInPath(request, 'award')), awardView);
}
