import type { Handler } from '@procurement/kit/mount';
import type { Deps } from '../../deps.ts';
import { awardView } from '../../domain/awarding.view.ts';
import type { Changed } from '../../store/awardings.store.ts';
import { addressOf, answerWith, documentsOf } from '../answer.ts';
import { awardOf, foundBy, idOf } from '../path.ts';
import { asksForActive, madeBefore, write, writtenBy } from '../write.ts';

/** `GET /tenders/{id}/awards`: all, in the order of creation; none is an empty list, in any status of the tender. */
export function listAwards(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await foundBy(deps, request);
    const documents = await documentsOf(deps, state.id);
    return answerWith(
      reply,
      200,
      state.awards.map((award) => awardView(award, documents)),
    );
  };
}

/** `GET /tenders/{id}/awards/{id}`. */
export function getAward(deps: Deps): Handler {
  return async (request, reply) => {
    const { state } = await foundBy(deps, request);
    const award = awardOf(state, idOf(request, 'award'));
    return answerWith(reply, 200, awardView(award, await documentsOf(deps, state.id)));
  };
}

/** `POST /tenders/{id}/awards`: 201 with the award, which an older segment may have met rather than made (3.8). */
export function createAward(deps: Deps): Handler {
  return async (request, reply) => {
    const written = writtenBy(deps, request);
    const { body, id } = written;
    const changed =
      (await madeBefore(deps, request, ({ awards }) => awards.some((award) => award.id === id))) ??
      (await write(deps, request, (meta) => ({ type: 'PostAward', body, meta: { ...meta, id } }), {
        needsItems: asksForActive(body),
      }));
    const award = awardOf(changed.state, changed.about ?? id);
    reply.header('location', addressOf(deps, changed.state.id, 'awards', award.id));
    return answerWith(reply, 201, awardView(award, await documentsOf(deps, changed.state.id)));
  };
}

/**
 * `PATCH /tenders/{id}/awards/{id}`: 200 with the award; `Location` names the next pending award where one was made
 * (bids-awards-auction.md 3.2).
 */
export function patchAward(deps: Deps): Handler {
  return async (request, reply) => {
    const { body } = writtenBy(deps, request);
    const id = idOf(request, 'award');
    const changed = await write(deps, request, (meta) => ({ type: 'ChangeAward', id, body, meta }), {
      needsItems: asksForActive(body),
    });
    const next = nextAward(changed);
    if (next !== undefined) reply.header('location', addressOf(deps, changed.state.id, 'awards', next));
    const award = awardOf(changed.state, id);
    return answerWith(reply, 200, awardView(award, await documentsOf(deps, changed.state.id)));
  };
}

function nextAward({ before, state }: Changed): string | undefined {
  return state.awards[before.awards.length]?.id;
}
