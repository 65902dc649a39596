import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Documents } from '../domain/awarding.view.ts';
import { loadPathTender, type TenderWithAwarding } from './path.ts';
import { sendData } from './response.ts';

/**
 * A GET handler: 200 with the view of what `find` returns. `find` throws the 404 of an object that does not exist; it runs
 * before the documents are read.
 */
export function readHandler<T>(
  deps: Deps,
  find: (found: TenderWithAwarding, request: FastifyRequest) => T,
  view: (object: T, documents: Documents) => unknown,
): Handler {
  return async (request, reply) => {
    const found = await loadPathTender(deps, request);
    const object = find(found, request);
    return sendData(reply, 200, view(object, await deps.documents.find(found.state.id)));
  };
}
