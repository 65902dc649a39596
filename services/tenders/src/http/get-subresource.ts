import type { Handler } from '@procurement/kit/http/mount';
import { etagOf, sendTagged } from '@procurement/kit/http/etag';
import type { Deps } from '../deps.ts';
import type { Subresource } from '../domain/subresource.ts';
import { loadTenderState, subresourceIdOf } from './subresource-path.ts';
import { responseText, requireView } from './subresource-response.ts';

/** `GET /tenders/{id}/<collection>/{id}`. Refusals: 404 of the tender, then of the object. */
export function getSubresource(deps: Deps, subresource: Subresource): Handler {
  return async (request, reply) => {
    const state = await loadTenderState(deps, request);
    const text = responseText(requireView(deps, subresource, state, subresourceIdOf(request, subresource)));
    return sendTagged(request, reply, text, etagOf(text));
  };
}
