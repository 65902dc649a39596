import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { problem, type Problem, unavailable } from '@procurement/contracts/problems/problems';
import { RECEIPT_HEADER } from '@procurement/contracts/resources/bid-receipt';
import { asksForDryRun } from '@procurement/kit/http/dry-run';
import { sendProblem } from '@procurement/kit/http/server';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { IdempotentRequest } from '../request/idempotency-claim.ts';
import { firstHeaderValue } from '../request/request-target.ts';
import {
  hashBody,
  isIdempotencyKey,
  hashKey,
  decryptResponse,
  encryptResponse,
  creationSeed,
} from './idempotency-key.ts';
import type { IdempotencyLookup, IdempotencyStore } from './idempotency.store.ts';

/** What repeats of requests need. */
export interface IdempotencyDeps {
  readonly config: Pick<Config, 'IDEMPOTENCY_SECRET' | 'UPSTREAM_TIMEOUT_MS'>;
  /** Absent in tests without a database: repeated requests are then forwarded like others. */
  readonly idempotencyStore: IdempotencyStore | undefined;
}

interface StoredResponse {
  readonly status: number;
  readonly type: string;
  readonly location?: string;
  readonly receipt?: string;
  readonly body: string;
}

/** Longest wait for the response of another request with the same key. */
const IN_PROGRESS_WAIT_MS_MAX = 10_000;
const POLL_MS = 50;
/** How often a running upload renews its attempt before it would count as abandoned. */
const RENEWALS_BEFORE_STALE = 3;
/** A repeat is forwarded again after these statuses, as after 5xx. */
const NOT_STORED_STATUSES: ReadonlySet<number> = new Set([401, 408, 409, 429]);

/**
 * Handles a POST with `Idempotency-Key`: calls `done` when the request is to be forwarded, as the first one or after a failed one;
 * otherwise sends the stored response or a refusal. Ignores the key of an anonymous caller.
 */
export function claimOrReplay(
  deps: IdempotencyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  const header = firstHeaderValue(request.headers['idempotency-key']);
  const { idempotencyStore } = deps;
  const { caller } = request.context;
  const hasKey = header !== undefined && request.method === 'POST' && caller.kind === 'broker';
  // A dry run has no effect that a repeat could have twice, and must not take the key of the request that will.
  if (!hasKey || idempotencyStore === undefined || asksForDryRun(request.method, request.raw.url ?? '')) {
    done();
    return;
  }
  const idempotentRequest = { broker: caller.broker.name, path: request.context.path, key: header };
  claimKey(deps, request, idempotencyStore, idempotentRequest).then(
    (result) => {
      if (isUpload(request)) renewUntilClosed(deps, idempotencyStore, request, reply);
      if (result === undefined) done();
      else if ('errors' in result) void sendProblem(reply, result);
      else replayResponse(reply, result);
    },
    (error: unknown) => {
      request.log.error({ err: error, requestId: request.id }, 'idempotency key not claimed');
      void sendProblem(reply, unavailable(5));
    },
  );
}

async function claimKey(
  deps: IdempotencyDeps,
  request: FastifyRequest,
  store: IdempotencyStore,
  idempotentRequest: IdempotentRequest,
): Promise<StoredResponse | Problem | undefined> {
  if (!isIdempotencyKey(idempotentRequest.key)) return problem('request.idempotency-key');
  const lookup = buildLookup(deps, request, idempotentRequest);
  const giveUpAt = monotonicMs() + IN_PROGRESS_WAIT_MS_MAX;
  let state = await store.claim(lookup);
  while (state.kind === 'in-progress' || state.kind === 'free') {
    if (monotonicMs() > giveUpAt) return problem('object.conflict');
    if (state.kind === 'in-progress') await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    state = state.kind === 'free' ? await store.claim(lookup) : await store.find(lookup);
  }
  if (state.kind === 'body-mismatch') return problem('request.idempotency-body');
  // Written by `registerIdempotency`, and authenticated by the encryption.
  if (state.kind === 'completed') return JSON.parse(decryptResponse(state.answer, idempotentRequest)) as StoredResponse;
  const { attempt } = state;
  const seed = creationSeed(attempt.keyHash, attempt.firstUsed, deps.config.IDEMPOTENCY_SECRET);
  request.context.idempotencyClaim = { ...idempotentRequest, attempt, seed };
  return undefined;
}

/** No attempt is stale while its service may still respond: a JSON request has `UPSTREAM_TIMEOUT_MS`, and an upload renews its attempt. */
function buildLookup(
  { config }: IdempotencyDeps,
  { context, headers }: FastifyRequest,
  idempotentRequest: IdempotentRequest,
): IdempotencyLookup {
  const { originalBody: bytes, contentType } = context;
  return {
    keyHash: hashKey(idempotentRequest),
    bodyHash: hashBody(idempotentRequest, { bytes, contentType, contentLength: headers['content-length'] }),
    staleMs: config.UPSTREAM_TIMEOUT_MS,
  };
}

/** The body of an upload is forwarded as it arrives, which takes as long as the client likes. */
function isUpload({ context }: FastifyRequest): boolean {
  return context.originalBody === undefined;
}

/** The attempt of a gateway that has died is stale soon, and the repeat of a broker is not refused until the longest upload had ended. */
function renewUntilClosed(
  { config }: IdempotencyDeps,
  store: IdempotencyStore,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { idempotencyClaim: claim } = request.context;
  if (claim === undefined) return;
  const renew = async (): Promise<void> => {
    claim.attempt = (await store.renew(claim.attempt)) ?? claim.attempt;
  };
  const onFailure = (error: unknown): void =>
    request.log.warn({ err: error, requestId: request.id }, 'attempt not renewed');
  const timer = setInterval(() => void renew().catch(onFailure), config.UPSTREAM_TIMEOUT_MS / RENEWALS_BEFORE_STALE);
  reply.raw.once('close', () => clearInterval(timer));
}

function replayResponse(reply: FastifyReply, { status, type, location, receipt, body }: StoredResponse): void {
  void reply.code(status).header('content-type', type).header('idempotency-replayed', 'true');
  if (location !== undefined) void reply.header('location', location);
  if (receipt !== undefined) void reply.header(RECEIPT_HEADER, receipt);
  void reply.send(body);
}

/**
 * Stores responses before they are sent, so that a client never receives a response that is not stored. Registered before the hooks
 * that format a response. When storing fails, the response is sent all the same: the seed keeps a repeat from creating a second
 * object.
 */
export function registerIdempotency(app: FastifyInstance, deps: IdempotencyDeps): void {
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
          encryptResponse(JSON.stringify(buildStoredResponse(reply, body)), idempotencyClaim),
        );
    } catch (error) {
      request.log.error({ err: error, requestId: request.id }, 'response not stored for repeats');
    }
    return body;
  });
}

function buildStoredResponse(reply: FastifyReply, body: string): StoredResponse {
  const location = reply.getHeader('location');
  const receipt = reply.getHeader(RECEIPT_HEADER);
  return {
    status: reply.statusCode,
    type: String(reply.getHeader('content-type') ?? 'application/json'),
    ...(typeof location === 'string' ? { location } : {}),
    ...(typeof receipt === 'string' ? { receipt } : {}),
    body,
  };
}

/** Text of the payload that Fastify is about to send. */
async function payloadText(payload: unknown): Promise<string> {
  if (typeof payload === 'string') return payload;
  if (Buffer.isBuffer(payload)) return payload.toString('utf8');
  return payload instanceof Readable ? readText(payload) : '';
}
