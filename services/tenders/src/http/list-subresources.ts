import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import type { Subresource } from '../domain/subresource.ts';
import { loadTenderState } from './subresource-path.ts';
import { responseText, listViews } from './subresource-response.ts';

/** `GET /tenders/{id}/<collection>`: all objects, in the order of creation. Refusals: 404 of the tender. */
export function listSubresources(deps: Deps, subresource: Subresource): Handler {
  return async (request, reply) =>
    sendJson(reply, 200, responseText(listViews(deps, subresource, await loadTenderState(deps, request))));
}
