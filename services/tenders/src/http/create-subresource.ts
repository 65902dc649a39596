import { selectAccessTokens, withAccess } from '@procurement/kit/http/access';
import { readJsonBody } from '@procurement/kit/http/body';
import type { Handler } from '@procurement/kit/http/mount';
import { idGeneratorFor } from '@procurement/kit/http/request-ids';
import { sendJson } from '@procurement/kit/http/server';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Subresource } from '../domain/subresource.ts';
import type { ChangedTender } from '../store/tenders.store.ts';
import { changeByRequest } from './change-by-request.ts';
import { tenderIdOf } from './path.ts';
import { responseText } from './subresource-response.ts';

/**
 * `POST /tenders/{id}/<collection>`: 201 with the object as its creator sent it and its `Location`. An object with an owner
 * comes with its tokens, which are not shown again (tenders.md 1.1).
 */
export function createSubresource(deps: Deps, subresource: Subresource): Handler {
  return async (request, reply) => {
    const ids = idGeneratorFor(request.identity, deps.ids);
    const secrets = { token: ids.nextToken(), transfer: ids.nextToken() };
    const hashes = { tokenHash: sha256Hex(secrets.token), transferHash: sha256Hex(secrets.transfer) };
    const body = readJsonBody(request.headers['content-type'], request.body);
    const newId = ids.next();
    const tenderId = tenderIdOf(request);
    const earlierResult = await findEarlierResult(deps, request, subresource, newId);
    const outcome =
      earlierResult ??
      (await changeByRequest(deps, request, {
        makeCommand: (meta) => ({ type: subresource.addCommand, body, meta: { ...meta, ...hashes, id: newId } }),
        ids,
      }));
    const idsBefore = new Set(subresource.list(outcome.before).map((one) => one.id));
    const all = subresource.list(outcome.state);
    // Compared with the list before, because a client may have chosen the id of a lot.
    const created = all.find((one) => !idsBefore.has(one.id)) ?? all.find((one) => one.id === newId);
    if (created === undefined) throw new Error(`the accepted command added no ${subresource.kind}`);
    const location = `${deps.config.PUBLIC_BASE_URL}/api/2.5/tenders/${tenderId}/${subresource.collection}/${created.id}`;
    reply.header('location', location);
    const access = subresource.hasOwner ? selectAccessTokens(request, secrets) : undefined;
    return sendJson(reply, 201, withAccess(responseText(created), access));
  };
}

/**
 * The result of an earlier attempt of the same request. The ids of a request with a seed are derived from it, so a retry
 * generates the id that the first attempt stored.
 */
async function findEarlierResult(
  deps: Deps,
  request: FastifyRequest,
  subresource: Subresource,
  id: string,
): Promise<ChangedTender | undefined> {
  if (request.identity.seed === undefined) return undefined;
  const state = await deps.tenders.state(tenderIdOf(request));
  return state !== undefined && subresource.list(state).some((one) => one.id === id)
    ? { state, before: state }
    : undefined;
}
