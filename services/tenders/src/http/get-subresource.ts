import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import type { Subresource } from '../domain/subresource.ts';
import { loadTenderState, subresourceIdOf } from './subresource-path.ts';
import { responseText, viewOf } from './subresource-response.ts';

/** `GET /tenders/{id}/<collection>/{id}`. Refusals: 404 of the tender, then of the object. */
export function getSubresource(deps: Deps, subresource: Subresource): Handler {
  return async (request, reply) => {
    const state = await loadTenderState(deps, request);
    return sendJson(reply, 200, responseText(viewOf(deps, subresource, state, subresourceIdOf(request, subresource))));
  };
}
