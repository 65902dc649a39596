import { problem } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/http/problem-error';
import type { Deps } from '../deps.ts';
import { position, wholeNumber } from '../domain/parameters.ts';
import { CACHE_FOR_A_DAY, readTexts } from './get-revision.ts';
import { readQuery, sendJsonAt } from './read-query.ts';
import { historyExtent, revisionInPath, tenderIdOf } from './revision-path.ts';
import { patchBetween } from './revision-text.ts';

const REV_MAX = 999_999_999;
const PARAMETERS = { from: wholeNumber(0, REV_MAX), at_least: position } as const;

/** `GET /tenders/{id}/history/{rev}/changes`: the JSON Patch between two revisions, in any direction (register.md 7.2, 7.4). */
export function listChanges(deps: Deps): Handler {
  return async (request, reply) => {
    const { from, at_least } = readQuery(request, PARAMETERS);
    const reached = await deps.freshness.reached(at_least);
    await historyExtent(deps, request);
    const id = tenderIdOf(request);
    const to = await revisionInPath(deps, request);
    const start = await (from === undefined ? deps.history.before(id, to.rev) : deps.history.revision(id, from));
    if (start === undefined) throw new ProblemError(problem('params.not-found', { name: 'from' }));
    const texts = await readTexts(deps, id, [start, to]);
    const patch = patchBetween(texts.get(start.position) ?? '', texts.get(to.position) ?? '');
    reply.header('cache-control', CACHE_FOR_A_DAY);
    return sendJsonAt(reply, reached, `{"data":${patch},"from":${start.rev},"to":${to.rev}}`);
  };
}
