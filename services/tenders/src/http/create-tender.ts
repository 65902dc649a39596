import { selectAccessTokens } from '@procurement/kit/http/access';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Handler } from '@procurement/kit/http/mount';
import { readJsonBody } from '@procurement/kit/http/body';
import { idGeneratorFor } from '@procurement/kit/http/request-ids';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { actorOf } from '@procurement/kit/http/actor';
import { tenderText } from './tender-text.ts';

/**
 * `POST /tenders`: 201 with the tender, its `Location` and the owner token, which is not shown again (tenders.md 3.2). The
 * token for a change of owner, `transfer`, is shown on segment 2.5 only (http.md 3.6).
 */
export function createTender(deps: Deps): Handler {
  return async (request, reply) => {
    const ids = idGeneratorFor(request.identity, deps.ids);
    const secrets = { token: ids.nextToken(), transfer: ids.nextToken() };
    const id = ids.next();
    // The ids of a request with a seed are derived from it, so a retry finds the tender that its first attempt stored.
    const existing = request.identity.seed === undefined ? undefined : await deps.tenders.view(id);
    const outcome =
      (existing && { body: existing.bytes }) ??
      (await deps.tenders.create({
        id,
        body: readJsonBody(request.headers['content-type'], request.body),
        actor: actorOf(request.identity),
        requestId: request.id,
        audit: request.audit,
        ids,
        secrets,
        isDryRun: request.isDryRun,
      }));
    if ('refused' in outcome) throw new ProblemError(outcome.refused);
    const access = selectAccessTokens(request, secrets);
    reply.header('location', `${deps.config.PUBLIC_BASE_URL}/api/2.5/tenders/${id}`);
    const head = Buffer.from(`{"access":${JSON.stringify(access)},`);
    return sendJson(reply, 201, Buffer.concat([head, tenderText(request, outcome.body).subarray(1)]));
  };
}
