import { problem, unavailable } from '@procurement/contracts/problems/problems';
import { clientOf, WORK_BYTES_HEADER } from '@procurement/kit/http/client';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { HistoryDeps } from './deps.ts';
import { position, wholeNumber } from '../requests/domain/parameters.ts';
import { CACHE_FOR_A_DAY } from './get-revision.ts';
import { readQuery, sendJsonAt } from '../requests/read-query.ts';
import { historyExtent, revisionInPath, tenderIdOf } from './revision-path.ts';
import { isRead } from './revision-text.ts';

const REV_MAX = 999_999_999;
const PARAMETERS = { from: wholeNumber(0, REV_MAX), at_least: position } as const;

/** `GET /tenders/{id}/history/{rev}/changes`: the JSON Patch between two revisions, in any direction (register.md 7.2, 7.4). */
export function listChanges(deps: HistoryDeps): Handler {
  return async (request, reply) => {
    const { from, at_least } = readQuery(request, PARAMETERS);
    const reached = await deps.freshness.reached(at_least);
    await historyExtent(deps, request);
    const id = tenderIdOf(request);
    const to = await revisionInPath(deps, request);
    const start = await (from === undefined ? deps.history.before(id, to.rev) : deps.history.revision(id, from));
    if (start === undefined) throw new ProblemError(problem('params.not-found', { name: 'from' }));
    if (![start, to].every(isRead)) throw new ProblemError(unavailable(60));
    const { texts, compared } = await deps.patches(clientOf(request), id, [{ from: start, to }]);
    const [patch] = texts;
    reply.header('cache-control', CACHE_FOR_A_DAY).header(WORK_BYTES_HEADER, compared);
    return sendJsonAt(reply, reached, `{"data":${patch},"from":${start.rev},"to":${to.rev}}`);
  };
}
