import { tenderTime } from '@procurement/domain/tender-time';
import { instantOf } from '@procurement/contracts/reading/instant';
import { toJsonText } from '@procurement/domain/json-text';
import { problem } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendTagged } from '@procurement/kit/http/etag';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { chronographView } from '../domain/tender.view.ts';
import { revisionEtag } from './etag.ts';
import { tenderIdOf } from './path.ts';

/** `GET /tenders/{id}`: the stored text of the public view. Refusals: 404 `object.not-found`. */
export function getTender(deps: Deps): Handler {
  return async (request, reply) => {
    const view = await deps.tenders.view(tenderIdOf(request));
    if (view === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
    if (request.identity.group === 'chronograph') return sendJson(reply, 200, await chronographText(deps, request));
    const text = wantsPublicModified(request.url) ? withPublicModified(view.body) : view.body;
    return sendTagged(request, reply, text, revisionEtag(view.rev));
  };
}

/** The view of the chronograph, which has only the members for planning auctions (tenders.md 9.4). */
async function chronographText(deps: Deps, request: FastifyRequest): Promise<string> {
  const state = await deps.tenders.state(tenderIdOf(request));
  if (state === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
  return `{"data":${toJsonText(chronographView(state, tenderTime(deps.clock.now(), state), deps.settings))}}`;
}

function wantsPublicModified(url: string): boolean {
  return /[?&]opt_fields=[^&]*public_modified/.test(url);
}

/**
 * Adds the date of the last published change in unix seconds (http.md 1.4). The first `dateModified` in the text is the tender's,
 * because it precedes all text of clients.
 */
function withPublicModified(body: string): string {
  const modified = /"dateModified":"([^"]+)"/.exec(body)?.[1];
  if (modified === undefined) return body;
  return body.replace('{"data":{', `{"data":{"public_modified":${instantOf(modified) / 1_000_000},`);
}
