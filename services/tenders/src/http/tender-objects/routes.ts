import type { BodyReading } from '@procurement/contracts/body-reading';
import { toJsonText } from '@procurement/contracts/json-text';
import { problem, type Problem } from '@procurement/contracts/problems';
import { actorOf } from '@procurement/kit/actor';
import { sha256Hex } from '@procurement/kit/ids';
import type { Handler } from '@procurement/kit/mount';
import { ProblemError } from '@procurement/kit/problem-error';
import { readJsonBody } from '@procurement/kit/request-body';
import { mintOf } from '@procurement/kit/request-mint';
import { sendJson } from '@procurement/kit/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { TenderObject } from '../../domain/tender-object.ts';
import { tenderTime } from '../../domain/tender.facts-taken.ts';
import type { TenderState } from '../../domain/tender.ts';
import type { Changed } from '../../store/tenders.store.ts';
import { tenderIdOf } from '../tender-missing.ts';

/** `GET /tenders/{id}/<collection>`: all of them, in the order of creation. */
export function listObjects(deps: Deps, object: TenderObject): Handler {
  return async (request, reply) => sendJson(reply, 200, text(viewsOf(deps, object, await tenderOf(deps, request))));
}

/** `GET /tenders/{id}/<collection>/{id}`. Refusals: 404 of the tender, then of the object. */
export function getObject(deps: Deps, object: TenderObject): Handler {
  return async (request, reply) => {
    const state = await tenderOf(deps, request);
    return sendJson(reply, 200, text(viewOf(deps, object, state, objectIdOf(request, object))));
  };
}

/**
 * `POST /tenders/{id}/<collection>`: 201 with the object as its creator sent it, its `Location`, and for what has an owner
 * the tokens, shown this once (tenders.md 1.1).
 */
export function createObject(deps: Deps, object: TenderObject): Handler {
  return async (request, reply) => {
    const mint = mintOf(request.identity, deps.mint);
    const secrets = { token: mint.token(), transfer: mint.token() };
    const hashes = { tokenHash: sha256Hex(secrets.token), transferHash: sha256Hex(secrets.transfer) };
    const body = bodyOf(request);
    const newId = mint.id();
    const tenderId = tenderIdOf(request);
    const made = await madeBefore(deps, request, object, newId);
    const outcome =
      made ??
      (await deps.tenders.change(tenderId, {
        command: (meta) => ({ type: object.add, body, meta: { ...meta, ...hashes, id: newId } }),
        actor: actorOf(request.identity),
        requestId: request.id,
        mint,
      }));
    if ('refused' in outcome) throw new ProblemError(outcome.refused);
    const known = new Set(object.list(outcome.before).map((one) => one.id));
    const all = object.list(outcome.state);
    // A lot may have come with an id of its own.
    const created = all.find((one) => !known.has(one.id)) ?? all.find((one) => one.id === newId);
    if (created === undefined) throw new Error(`a creation made no ${object.kind}`);
    const address = `${deps.config.PUBLIC_BASE_URL}/api/2.5/tenders/${tenderId}/${object.collection}/${created.id}`;
    reply.header('location', address);
    const access = request.identity.segment === '2.5' ? secrets : { token: secrets.token };
    return sendJson(reply, 201, text(created, object.hasOwner ? access : undefined));
  };
}

/** A repeat of a request that may have come through has the same seed, and finds what it made. */
async function madeBefore(
  deps: Deps,
  request: FastifyRequest,
  object: TenderObject,
  id: string,
): Promise<Changed | undefined> {
  if (request.identity.seed === undefined) return undefined;
  const state = await deps.tenders.state(tenderIdOf(request));
  return state !== undefined && object.list(state).some((one) => one.id === id) ? { state, before: state } : undefined;
}

/** `PATCH /tenders/{id}/<collection>/{id}`: 200 with the object as it then is. */
export function changeObject(deps: Deps, object: TenderObject): Handler {
  return async (request, reply) => {
    const id = objectIdOf(request, object);
    const { state } = await changed(deps, request, object.change, id);
    return sendJson(reply, 200, text(viewOf(deps, object, state, id)));
  };
}

/** `DELETE /tenders/{id}/<collection>/{id}`: 200 with the object as it was. */
export function removeObject(deps: Deps, object: TenderObject, type: 'DeleteLot'): Handler {
  return async (request, reply) => {
    const id = objectIdOf(request, object);
    const { before } = await changed(deps, request, type, id);
    return sendJson(reply, 200, text(viewOf(deps, object, before, id)));
  };
}

/** The 404 of a path whose tender or object does not exist, outermost first (http.md 0.2 steps 3 and 4). */
export function objectMissing(
  deps: Deps,
  object: TenderObject,
): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    const state = await deps.tenders.state(tenderIdOf(request));
    if (state === undefined) return problem('object.not-found', { kind: 'tender' });
    const id = objectIdOf(request, object);
    const isMissing = id !== undefined && object.list(state).every((one) => one.id !== id);
    return isMissing ? problem('object.not-found', { kind: object.kind }) : undefined;
  };
}

async function changed(
  deps: Deps,
  request: FastifyRequest,
  type: TenderObject['change'],
  id: string,
): Promise<Changed> {
  const body = bodyOf(request);
  const outcome = await deps.tenders.change(tenderIdOf(request), {
    command: (meta) => ({ type, id, body, meta }),
    actor: actorOf(request.identity),
    requestId: request.id,
    mint: deps.mint,
  });
  if ('refused' in outcome) throw new ProblemError(outcome.refused);
  return outcome;
}

function bodyOf(request: FastifyRequest): BodyReading {
  return readJsonBody(request.headers['content-type'], request.body);
}

/** The id in the path. The router gives text for every named parameter of a matched path. */
function objectIdOf(request: FastifyRequest, { kind }: TenderObject): string {
  return (request.params as Readonly<Record<string, string>>)[`${kind}_id`] as string;
}

async function tenderOf(deps: Deps, request: FastifyRequest): Promise<TenderState> {
  const state = await deps.tenders.state(tenderIdOf(request));
  if (state === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
  return state;
}

function viewsOf(deps: Deps, object: TenderObject, state: TenderState): readonly Readonly<Record<string, unknown>>[] {
  return object.views(state, tenderTime(deps.clock.now(), state), deps.settings);
}

function viewOf(deps: Deps, object: TenderObject, state: TenderState, id: string): Readonly<Record<string, unknown>> {
  const view = viewsOf(deps, object, state).find((one) => one['id'] === id);
  if (view === undefined) throw new ProblemError(problem('object.not-found', { kind: object.kind }));
  return view;
}

function text(data: unknown, access?: unknown): string {
  return `{${access === undefined ? '' : `"access":${JSON.stringify(access)},`}"data":${toJsonText(data)}}`;
}
