import { tenderTime } from '@procurement/domain/tender-time';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { toJsonText } from '@procurement/domain/json-text';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { actorOf } from '@procurement/kit/http/actor';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/http/problem-error';
import { readJsonBody } from '@procurement/kit/http/body';
import { idGeneratorFor } from '@procurement/kit/http/request-ids';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Subresource } from '../domain/subresource.ts';
import type { TenderState } from '../domain/tender.ts';
import type { ChangedTender } from '../store/tenders.store.ts';
import { tenderIdOf } from './path.ts';

/** `GET /tenders/{id}/<collection>`: all of them, in the order of creation. */
export function listSubresources(deps: Deps, subresource: Subresource): Handler {
  return async (request, reply) =>
    sendJson(reply, 200, responseText(viewsOf(deps, subresource, await loadTenderState(deps, request))));
}

/** `GET /tenders/{id}/<collection>/{id}`. Refusals: 404 of the tender, then of the object. */
export function getSubresource(deps: Deps, subresource: Subresource): Handler {
  return async (request, reply) => {
    const state = await loadTenderState(deps, request);
    return sendJson(reply, 200, responseText(viewOf(deps, subresource, state, subresourceIdOf(request, subresource))));
  };
}

/**
 * `POST /tenders/{id}/<collection>`: 201 with the object as its creator sent it, its `Location`, and for what has an owner
 * the tokens, shown this once (tenders.md 1.1).
 */
export function createSubresource(deps: Deps, subresource: Subresource): Handler {
  return async (request, reply) => {
    const ids = idGeneratorFor(request.identity, deps.ids);
    const secrets = { token: ids.nextToken(), transfer: ids.nextToken() };
    const hashes = { tokenHash: sha256Hex(secrets.token), transferHash: sha256Hex(secrets.transfer) };
    const body = bodyOf(request);
    const newId = ids.next();
    const tenderId = tenderIdOf(request);
    const existing = await findEarlierResult(deps, request, subresource, newId);
    const outcome =
      existing ??
      (await deps.tenders.change(tenderId, {
        makeCommand: (meta) => ({ type: subresource.addCommand, body, meta: { ...meta, ...hashes, id: newId } }),
        actor: actorOf(request.identity),
        requestId: request.id,
        ids,
      }));
    if ('refused' in outcome) throw new ProblemError(outcome.refused);
    const idsBefore = new Set(subresource.list(outcome.before).map((one) => one.id));
    const all = subresource.list(outcome.state);
    // A lot may have come with an id of its own.
    const created = all.find((one) => !idsBefore.has(one.id)) ?? all.find((one) => one.id === newId);
    if (created === undefined) throw new Error(`a creation made no ${subresource.kind}`);
    const location = `${deps.config.PUBLIC_BASE_URL}/api/2.5/tenders/${tenderId}/${subresource.collection}/${created.id}`;
    reply.header('location', location);
    const access = request.identity.segment === '2.5' ? secrets : { token: secrets.token };
    return sendJson(reply, 201, responseText(created, subresource.hasOwner ? access : undefined));
  };
}

/** A repeat of a request that may have come through has the same seed, and finds what it made. */
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

/** `PATCH /tenders/{id}/<collection>/{id}`: 200 with the object as it then is. */
export function patchSubresource(deps: Deps, subresource: Subresource): Handler {
  return async (request, reply) => {
    const id = subresourceIdOf(request, subresource);
    const { state } = await executeChange(deps, request, subresource.changeCommand, id);
    return sendJson(reply, 200, responseText(viewOf(deps, subresource, state, id)));
  };
}

/** `DELETE /tenders/{id}/<collection>/{id}`: 200 with the object as it was. */
export function deleteSubresource(deps: Deps, subresource: Subresource, type: 'DeleteLot'): Handler {
  return async (request, reply) => {
    const id = subresourceIdOf(request, subresource);
    const { before } = await executeChange(deps, request, type, id);
    return sendJson(reply, 200, responseText(viewOf(deps, subresource, before, id)));
  };
}

/** The 404 of a path whose tender or object does not exist, outermost first (http.md 0.2 steps 3 and 4). */
export function subresourceMissing(
  deps: Deps,
  subresource: Subresource,
): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    const state = await deps.tenders.state(tenderIdOf(request));
    if (state === undefined) return problem('object.not-found', { kind: 'tender' });
    const id = subresourceIdOf(request, subresource);
    const isMissing = id !== undefined && subresource.list(state).every((one) => one.id !== id);
    return isMissing ? problem('object.not-found', { kind: subresource.kind }) : undefined;
  };
}

async function executeChange(
  deps: Deps,
  request: FastifyRequest,
  type: Subresource['changeCommand'],
  id: string,
): Promise<ChangedTender> {
  const body = bodyOf(request);
  const outcome = await deps.tenders.change(tenderIdOf(request), {
    makeCommand: (meta) => ({ type, id, body, meta }),
    actor: actorOf(request.identity),
    requestId: request.id,
    ids: deps.ids,
  });
  if ('refused' in outcome) throw new ProblemError(outcome.refused);
  return outcome;
}

function bodyOf(request: FastifyRequest): BodyResult {
  return readJsonBody(request.headers['content-type'], request.body);
}

/** The id in the path. The router gives text for every named parameter of a matched path. */
function subresourceIdOf(request: FastifyRequest, { kind }: Subresource): string {
  return (request.params as Readonly<Record<string, string>>)[`${kind}_id`] as string;
}

async function loadTenderState(deps: Deps, request: FastifyRequest): Promise<TenderState> {
  const state = await deps.tenders.state(tenderIdOf(request));
  if (state === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
  return state;
}

function viewsOf(
  deps: Deps,
  subresource: Subresource,
  state: TenderState,
): readonly Readonly<Record<string, unknown>>[] {
  return subresource.views(state, tenderTime(deps.clock.now(), state), deps.settings);
}

function viewOf(
  deps: Deps,
  subresource: Subresource,
  state: TenderState,
  id: string,
): Readonly<Record<string, unknown>> {
  const view = viewsOf(deps, subresource, state).find((one) => one['id'] === id);
  if (view === undefined) throw new ProblemError(problem('object.not-found', { kind: subresource.kind }));
  return view;
}

function responseText(data: unknown, access?: unknown): string {
  return `{${access === undefined ? '' : `"access":${JSON.stringify(access)},`}"data":${toJsonText(data)}}`;
}
