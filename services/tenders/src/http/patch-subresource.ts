import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import type { Subresource } from '../domain/subresource.ts';
import { executeChange } from './execute-change.ts';
import { subresourceIdOf } from './subresource-path.ts';
import { responseText, requireView } from './subresource-response.ts';

/** `PATCH /tenders/{id}/<collection>/{id}`: 200 with the object after the change. */
export function patchSubresource(deps: Deps, subresource: Subresource): Handler {
  return async (request, reply) => {
    const id = subresourceIdOf(request, subresource);
    const { state } = await executeChange(
      deps,
      { request, reply },
      { subresource, type: subresource.changeCommand, id },
    );
    return sendJson(reply, 200, responseText(requireView(deps, subresource, state, id)));
  };
}
