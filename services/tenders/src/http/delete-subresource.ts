import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import type { Subresource } from '../domain/subresource.ts';
import { executeChange } from './execute-change.ts';
import { subresourceIdOf } from './subresource-path.ts';
import { responseText, requireView } from './subresource-response.ts';

/** `DELETE /tenders/{id}/<collection>/{id}`: 200 with the object as it was before. */
export function deleteSubresource(deps: Deps, subresource: Subresource, type: 'DeleteLot'): Handler {
  return async (request, reply) => {
    const id = subresourceIdOf(request, subresource);
    const { before } = await executeChange(deps, { request, reply }, { subresource, type, id });
    return sendJson(reply, 200, responseText(requireView(deps, subresource, before, id)));
  };
}
