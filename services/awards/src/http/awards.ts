import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { awardView } from '../domain/awarding.view.ts';
import type { ChangedAwarding } from '../store/awardings.store.ts';
import { locationOf, sendData, findDocuments } from './response.ts';
import { awardOf, loadPathTender, idInPath } from './path.ts';
import { asksForActive, findEarlierResult, executeCommand, readWriteInput } from './execute-command.ts';

/** `GET /tenders/{id}/awards`: all, in the order of creation; none is an empty list, in any status of the tender. */
export function listAwards(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await loadPathTender(deps, request);
    const documents = await findDocuments(deps, state.id);
    return sendData(
      reply,
      200,
      state.awards.map((award) => awardView(award, documents)),
    );
  };
}

/** `GET /tenders/{id}/awards/{id}`. */
export function getAward(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await loadPathTender(deps, request);
    const award = awardOf(state, idInPath(request, 'award'));
    return sendData(reply, 200, awardView(award, await findDocuments(deps, state.id)));
  };
}

/** `POST /tenders/{id}/awards`: 201 with the award, which an older segment may have met rather than made (3.8). */
export function createAward(deps: Deps): Handler {
  return async (request, reply) => {
    const input = readWriteInput(deps, request);
    const { body, id } = input;
    const changed =
      (await findEarlierResult(deps, request, ({ awards }) => awards.some((award) => award.id === id))) ??
      (await executeCommand(deps, request, (meta) => ({ type: 'PostAward', body, meta: { ...meta, id } }), {
        needsItems: asksForActive(body),
      }));
    const award = awardOf(changed.state, changed.awardId ?? id);
    reply.header('location', locationOf(deps, changed.state.id, 'awards', award.id));
    return sendData(reply, 201, awardView(award, await findDocuments(deps, changed.state.id)));
  };
}

/**
 * `PATCH /tenders/{id}/awards/{id}`: 200 with the award; `Location` names the next pending award where one was made
 * (bids-awards-auction.md 3.2).
 */
export function patchAward(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = readWriteInput(deps, request);
    const id = idInPath(request, 'award');
    const changed = await executeCommand(deps, request, (meta) => ({ type: 'ChangeAward', id, body, meta }), {
      needsItems: asksForActive(body),
    });
    const next = nextAwardId(changed);
    if (next !== undefined) reply.header('location', locationOf(deps, changed.state.id, 'awards', next));
    const award = awardOf(changed.state, id);
    return sendData(reply, 200, awardView(award, await findDocuments(deps, changed.state.id)));
  };
}

function nextAwardId({ before, state }: ChangedAwarding): string | undefined {
  return state.awards[before.awards.length]?.id;
}
