import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { awardView } from '../domain/awarding.view.ts';
import { readHandler } from './read-handler.ts';

/** `GET /tenders/{id}/awards`: all awards in order of creation; an empty list in any tender status. */
export function listAwards(deps: Deps): Handler {
  return readHandler(
    deps,
    ({ state }) => state.awards,
    (awards, documents) => awards.map((award) => awardView(award, documents)),
  );
}
