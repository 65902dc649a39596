import { Readable } from 'node:stream';
import { problem, type Problem } from '@procurement/contracts/problems';
import { sendProblem } from '@procurement/kit/server';
import { monotonicMs } from '@procurement/kit/time';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { headerText } from '../exchange.ts';
import {
  bodyHashOf,
  isIdempotencyKey,
  keyHashOf,
  openAnswer,
  sealAnswer,
  seedOf,
  type Repeatable,
} from './idempotency-key.ts';
import type { Asked, KeptAnswers } from './kept-answers.store.ts';

interface KeptAnswer {
  readonly status: number;
  readonly type: string;
  readonly location?: string;
  readonly body: string;
}

/** Longest wait for the answer of a twin that is on its way. */
const TWIN_MS_MAX = 10_000;
const LOOK_MS = 50;
/** A repeat of what failed at the door, or for want of others, is a new attempt. */
const NOT_KEPT: ReadonlySet<number> = new Set([401, 408, 409, 429]);

/**
 * What to do with a POST that carries `Idempotency-Key`: `done` when it is to be forwarded, as the first of its kind or in
 * place of one that came to nothing; otherwise it is answered here. Needs a caller: without one the key is nobody's.
 */
export function beginRepeatable(deps: Deps, request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const header = headerText(request.headers['idempotency-key']);
  const { kept } = deps;
  const { caller } = request.exchange;
  if (header === undefined || request.method !== 'POST' || caller.kind !== 'broker' || kept === undefined) {
    done();
    return;
  }
  const repeatable = { broker: caller.broker.name, path: request.exchange.path, key: header };
  begin(deps, request, kept, repeatable).then(
    (outcome) => {
      if (outcome === undefined) done();
      else if ('errors' in outcome) void sendProblem(reply, outcome);
      else sendAgain(reply, outcome);
    },
    (error: unknown) => {
      request.log.error({ err: error, requestId: request.id }, 'idempotency not kept');
      void sendProblem(reply, problem('service.unavailable', {}, { 'retry-after': '5' }));
    },
  );
}

async function begin(
  deps: Deps,
  request: FastifyRequest,
  kept: KeptAnswers,
  repeatable: Repeatable,
): Promise<KeptAnswer | Problem | undefined> {
  if (!isIdempotencyKey(repeatable.key)) return problem('request.idempotency-key');
  const asked = askedOf(deps, request, repeatable);
  const giveUpAt = monotonicMs() + TWIN_MS_MAX;
  let found = await kept.claim(asked);
  while (found.kind === 'on its way' || found.kind === 'free') {
    if (monotonicMs() > giveUpAt) return problem('object.conflict');
    if (found.kind === 'on its way') await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    found = found.kind === 'free' ? await kept.claim(asked) : await kept.look(asked);
  }
  if (found.kind === 'other body') return problem('request.idempotency-body');
  // Written by `keepAnswers`, and sealed against change.
  if (found.kind === 'answered') return JSON.parse(openAnswer(found.answer, repeatable)) as KeptAnswer;
  const { attempt } = found;
  const seed = seedOf(
    attempt.keyHash,
    attempt.firstUsed,
    deps.config.IDEMPOTENCY_SECRET ?? deps.config.IDENTITY_SECRET,
  );
  request.exchange.keeping = { ...repeatable, attempt, seed };
  return undefined;
}

/** No attempt counts as dead while its service may still answer: an upload has longer than a JSON request (proxied.ts). */
function askedOf({ config }: Deps, { exchange, headers }: FastifyRequest, repeatable: Repeatable): Asked {
  const { asSent: bytes, contentType } = exchange;
  return {
    keyHash: keyHashOf(repeatable),
    bodyHash: bodyHashOf(repeatable, { bytes, contentType, contentLength: headers['content-length'] }),
    staleMs: bytes === undefined ? config.UPLOAD_TIMEOUT_MS : config.UPSTREAM_TIMEOUT_MS,
  };
}

function sendAgain(reply: FastifyReply, { status, type, location, body }: KeptAnswer): void {
  void reply.code(status).header('content-type', type).header('idempotency-replayed', 'true');
  if (location !== undefined) void reply.header('location', location);
  void reply.send(body);
}

/**
 * Keeps answers before they are sent, so that an answer seen is an answer kept. Registered before anything changes the form
 * of an answer. What cannot be kept is sent all the same: a repeat then meets the seed, and makes no second object.
 */
export function keepAnswers(app: FastifyInstance, deps: Deps): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { keeping } = request.exchange;
    if (keeping === undefined || deps.kept === undefined) return payload;
    const body = await wholeOf(payload);
    try {
      if (reply.statusCode >= 500 || NOT_KEPT.has(reply.statusCode)) await deps.kept.release(keeping.attempt);
      else await deps.kept.keep(keeping.attempt, sealAnswer(JSON.stringify(answerOf(reply, body)), keeping));
    } catch (error) {
      request.log.error({ err: error, requestId: request.id }, 'answer not kept for a repeat');
    }
    return body;
  });
}

function answerOf(reply: FastifyReply, body: string): KeptAnswer {
  const location = reply.getHeader('location');
  return {
    status: reply.statusCode,
    type: String(reply.getHeader('content-type') ?? 'application/json'),
    ...(typeof location === 'string' ? { location } : {}),
    body,
  };
}

/** The text of what Fastify is about to send: a text, bytes, a stream, or nothing. */
async function wholeOf(payload: unknown): Promise<string> {
  if (typeof payload === 'string') return payload;
  if (Buffer.isBuffer(payload)) return payload.toString('utf8');
  if (!(payload instanceof Readable)) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of payload) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
