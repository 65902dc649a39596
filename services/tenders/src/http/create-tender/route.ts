import { ProblemError } from '@procurement/kit/problem-error';
import type { Handler } from '@procurement/kit/mount';
import { readJsonBody } from '@procurement/kit/request-body';
import { mintOf } from '@procurement/kit/request-mint';
import { sendJson } from '@procurement/kit/server';
import type { Deps } from '../../deps.ts';
import { actorOf } from '@procurement/kit/actor';

/**
 * `POST /tenders`: 201 with the tender, its `Location`, and the owner token, shown this once (tenders.md 3.2). The token for
 * a change of owner, `transfer`, is shown on segment 2.5 only (http.md 3.6).
 */
export function createTender(deps: Deps): Handler {
  return async (request, reply) => {
    const mint = mintOf(request.identity, deps.mint);
    const secrets = { token: mint.token(), transfer: mint.token() };
    const id = mint.id();
    // A repeat of a request that may have come through has the same seed, and finds the tender that it made.
    const made = request.identity.seed === undefined ? undefined : await deps.tenders.view(id);
    const outcome =
      made ??
      (await deps.tenders.create({
        id,
        body: readJsonBody(request.headers['content-type'], request.body),
        actor: actorOf(request.identity),
        requestId: request.id,
        mint,
        secrets,
      }));
    if ('refused' in outcome) throw new ProblemError(outcome.refused);
    const access = request.identity.segment === '2.5' ? secrets : { token: secrets.token };
    reply.header('location', `${deps.config.PUBLIC_BASE_URL}/api/2.5/tenders/${id}`);
    return sendJson(reply, 201, `{"access":${JSON.stringify(access)},${outcome.body.slice(1)}`);
  };
}
