import { Readable } from 'node:stream';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { sendProblem } from '@procurement/kit/http/server';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { firstHeaderValue } from '../pipeline/request-context.ts';
import {
  bodyHashOf,
  isIdempotencyKey,
  keyHashOf,
  decryptResponse,
  encryptResponse,
  creationSeed,
  type IdempotentRequest,
} from './idempotency-key.ts';
import type { IdempotencyLookup, IdempotencyStore } from './idempotency.store.ts';

interface StoredResponse {
  readonly status: number;
  readonly type: string;
  readonly location?: string;
  readonly body: string;
}

/** Longest wait for the answer of a twin that is on its way. */
const IN_PROGRESS_WAIT_MS_MAX = 10_000;
const POLL_MS = 50;
/** A repeat of what failed at the door, or for want of others, is a new attempt. */
const NOT_STORED_STATUSES: ReadonlySet<number> = new Set([401, 408, 409, 429]);

/**
 * What to do with a POST that carries `Idempotency-Key`: `done` when it is to be forwarded, as the first of its kind or in
 * place of one that came to nothing; otherwise it is answered here. Needs a caller: without one the key is nobody's.
 */
export function claimOrReplay(deps: Deps, request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const header = firstHeaderValue(request.headers['idempotency-key']);
  const { idempotencyStore } = deps;
  const { caller } = request.context;
  if (header === undefined || request.method !== 'POST' || caller.kind !== 'broker' || idempotencyStore === undefined) {
    done();
    return;
  }
  const idempotentRequest = { broker: caller.broker.name, path: request.context.path, key: header };
  claimKey(deps, request, idempotencyStore, idempotentRequest).then(
    (result) => {
      if (result === undefined) done();
      else if ('errors' in result) void sendProblem(reply, result);
      else replayResponse(reply, result);
    },
    (error: unknown) => {
      request.log.error({ err: error, requestId: request.id }, 'idempotency not kept');
      void sendProblem(reply, problem('service.unavailable', {}, { 'retry-after': '5' }));
    },
  );
}

async function claimKey(
  deps: Deps,
  request: FastifyRequest,
  store: IdempotencyStore,
  idempotentRequest: IdempotentRequest,
): Promise<StoredResponse | Problem | undefined> {
  if (!isIdempotencyKey(idempotentRequest.key)) return problem('request.idempotency-key');
  const lookup = lookupOf(deps, request, idempotentRequest);
  const giveUpAt = monotonicMs() + IN_PROGRESS_WAIT_MS_MAX;
  let state = await store.claim(lookup);
  while (state.kind === 'on its way' || state.kind === 'free') {
    if (monotonicMs() > giveUpAt) return problem('object.conflict');
    if (state.kind === 'on its way') await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    state = state.kind === 'free' ? await store.claim(lookup) : await store.find(lookup);
  }
  if (state.kind === 'other body') return problem('request.idempotency-body');
  // Written by `keepAnswers`, and sealed against change.
  if (state.kind === 'answered') return JSON.parse(decryptResponse(state.answer, idempotentRequest)) as StoredResponse;
  const { attempt } = state;
  const seed = creationSeed(
    attempt.keyHash,
    attempt.firstUsed,
    deps.config.IDEMPOTENCY_SECRET ?? deps.config.IDENTITY_SECRET,
  );
  request.context.idempotencyClaim = { ...idempotentRequest, attempt, seed };
  return undefined;
}

/** No attempt counts as dead while its service may still answer: an upload has longer than a JSON request (proxied.ts). */
function lookupOf(
  { config }: Deps,
  { context, headers }: FastifyRequest,
  idempotentRequest: IdempotentRequest,
): IdempotencyLookup {
  const { originalBody: bytes, contentType } = context;
  return {
    keyHash: keyHashOf(idempotentRequest),
    bodyHash: bodyHashOf(idempotentRequest, { bytes, contentType, contentLength: headers['content-length'] }),
    staleMs: bytes === undefined ? config.UPLOAD_TIMEOUT_MS : config.UPSTREAM_TIMEOUT_MS,
  };
}

function replayResponse(reply: FastifyReply, { status, type, location, body }: StoredResponse): void {
  void reply.code(status).header('content-type', type).header('idempotency-replayed', 'true');
  if (location !== undefined) void reply.header('location', location);
  void reply.send(body);
}

/**
 * Keeps answers before they are sent, so that an answer seen is an answer kept. Registered before anything changes the form
 * of an answer. What cannot be kept is sent all the same: a repeat then meets the seed, and makes no second object.
 */
export function registerIdempotency(app: FastifyInstance, deps: Deps): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { idempotencyClaim } = request.context;
    if (idempotencyClaim === undefined || deps.idempotencyStore === undefined) return payload;
    const body = await payloadText(payload);
    try {
      if (reply.statusCode >= 500 || NOT_STORED_STATUSES.has(reply.statusCode))
        await deps.idempotencyStore.release(idempotencyClaim.attempt);
      else
        await deps.idempotencyStore.storeResponse(
          idempotencyClaim.attempt,
          encryptResponse(JSON.stringify(storedResponseOf(reply, body)), idempotencyClaim),
        );
    } catch (error) {
      request.log.error({ err: error, requestId: request.id }, 'answer not kept for a repeat');
    }
    return body;
  });
}

function storedResponseOf(reply: FastifyReply, body: string): StoredResponse {
  const location = reply.getHeader('location');
  return {
    status: reply.statusCode,
    type: String(reply.getHeader('content-type') ?? 'application/json'),
    ...(typeof location === 'string' ? { location } : {}),
    body,
  };
}

/** The text of what Fastify is about to send: a text, bytes, a stream, or nothing. */
async function payloadText(payload: unknown): Promise<string> {
  if (typeof payload === 'string') return payload;
  if (Buffer.isBuffer(payload)) return payload.toString('utf8');
  if (!(payload instanceof Readable)) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of payload) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
