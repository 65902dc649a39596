import type { Handler } from '@procurement/kit/mount';
import { ProblemError } from '@procurement/kit/problem-error';
import { readJsonBody } from '@procurement/kit/request-body';
import { sendJson } from '@procurement/kit/server';
import type { Deps } from '../deps.ts';
import { actorOf } from '@procurement/kit/actor';
import { revOf } from './etag.ts';
import { tenderIdOf } from './tender-missing.ts';

/** PATCH and PUT differ in the command only. `If-Match` with another revision: 412 (http.md 5.4). */
export function changeTender(deps: Deps, type: 'PatchTender' | 'PutTender'): Handler {
  return async (request, reply) => {
    const ifMatch = request.headers['if-match'];
    const outcome = await deps.tenders.change(tenderIdOf(request), {
      type,
      body: readJsonBody(request.headers['content-type'], request.body),
      actor: actorOf(request.identity),
      requestId: request.id,
      ...(ifMatch === undefined || ifMatch === '*' ? {} : { expectedRev: revOf(ifMatch) ?? -1n }),
    });
    if ('refused' in outcome) throw new ProblemError(outcome.refused);
    return sendJson(reply, 200, outcome.body);
  };
}
