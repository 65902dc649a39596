import { REFUSAL_MEDIA_TYPE } from '@procurement/contracts/reading/body-result';
import type { Readable } from 'node:stream';
import type { RouteContract } from '@procurement/contracts/api/route';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { isTooComplex, JSON_BYTES_MAX } from '@procurement/kit/http/body';
import { systemClock } from '@procurement/kit/runtime/clock';
import type { FastifyRequest } from 'fastify';
import { extractBodyExtras } from '../auth/owner-token.ts';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { Codec, Generation01 } from '../generations/codec.ts';
import type { ByteLease } from '../limits/byte-budget.ts';
import { resourceOf } from '../generations/resource.ts';
import { hasJsonBody } from '../request/body-kind.ts';
import { negotiateGeneration } from '../generations/v0.1/negotiate.ts';

/** Longest time in which a JSON body must arrive. */
const BODY_MS_MAX = 30_000;

/** 413 for a JSON body that announces more than 4 MiB. Costs nothing, so it comes before every other look at the body. */
export function jsonLengthProblem(request: FastifyRequest): Problem | undefined {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length <= JSON_BYTES_MAX || !hasJsonBody(request)) return undefined;
  return problem('request.too-large', {}, length > DRAINED_BYTES_MAX ? CLOSE : undefined);
}

export interface DecodingParts {
  readonly codec: Codec;
  /** Takes the bytes of the body. The caller releases it when the response is closed. */
  readonly lease: ByteLease;
}

/**
 * Reads the JSON body of a write into the request context: extracts owner token and options, and decodes `data` to the canonical
 * shape when its generation differs. An unreadable body is forwarded unchanged; the service refuses it at its step. Refusals: 413
 * `request.too-large`, 408 `request.timeout`, 503 when the gateway keeps too many bytes already.
 */
export async function decodeJsonBody(
  request: FastifyRequest,
  route: RouteContract | undefined,
  { codec, lease }: DecodingParts,
): Promise<Problem | undefined> {
  const { context } = request;
  const bytes = await readBytes(request.raw, lease);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const extras = extractBodyExtras(bytes);
  context.body = extras.body;
  context.originalBody = extras.body;
  if (extras.token !== undefined) context.bodyToken = extras.token;
  if (extras.pretty !== undefined) context.pretty = extras.pretty;
  if (route === undefined || codec.passesRequestThrough(route)) return undefined;
  const root = parseJson(extras.body);
  if (!isJsonObject(root) || !isJsonObject(root['data'])) return undefined;
  const { data } = root;
  context.sent = data;
  if (context.generation01 !== undefined) context.generation01 = generationOfBody(request, route, data);
  if (codec.needsStored(route, data)) {
    context.deferredData = data;
    return undefined;
  }
  const decoded = codec.decodeRequest(route, data, { now: systemClock.now(), generation01: context.generation01 });
  if ('refused' in decoded) {
    context.body = Buffer.from(JSON.stringify(decoded.refused));
    context.bodyContentType = REFUSAL_MEDIA_TYPE;
  } else context.body = Buffer.from(JSON.stringify({ data: decoded.data }));
  return undefined;
}

/** The body is evidence of the generation too, when nothing before it spoke (generations.md 2). */
function generationOfBody(request: FastifyRequest, route: RouteContract, data: JsonObject): Generation01 {
  const { query } = request.context;
  const negotiated = negotiateGeneration({
    query,
    accept: request.headers.accept,
    resource: resourceOf(route),
    data,
  });
  return 'generation01' in negotiated ? negotiated.generation01 : 'middle';
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The JSON value; undefined when the service will refuse the text too: it is not JSON, or too complex to be parsed. */
function parseJson(bytes: Buffer): unknown {
  try {
    const text = decoder.decode(bytes);
    return isTooComplex(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * All bytes of the body, or the refusal. Does not destroy the stream: the refusal is sent on its socket, and Node drains the rest of
 * the body after the response.
 */
async function readBytes(body: Readable, lease: ByteLease): Promise<Buffer | Problem> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: Buffer | Problem): void => {
      clearTimeout(timer);
      body.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      // A chunked body has no length in its headers.
      if (size > JSON_BYTES_MAX) finish(problem('request.too-large', {}, CLOSE));
      else if (!lease.take(chunk.length)) finish(problem('service.unavailable', {}, BUSY));
      else chunks.push(chunk);
    };
    const onEnd = (): void => finish(Buffer.concat(chunks, size));
    const onBroken = (): void => finish(problem('request.bad'));
    const timer = setTimeout(() => finish(problem('request.timeout', {}, CLOSE)), BODY_MS_MAX);
    body.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/** Up to this size the connection is kept after a 413; a longer body closes it. */
const DRAINED_BYTES_MAX = 64 * 1024 * 1024;
const CLOSE = { connection: 'close' } as const;
const BUSY = { ...CLOSE, 'retry-after': '1' } as const;
