import type { RouteContract } from '@procurement/contracts/api/route';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { REFUSAL_MEDIA_TYPE } from '@procurement/contracts/reading/body-result';
import { sendProblem } from '@procurement/kit/http/server';
import { WORK_BYTES_HEADER } from '@procurement/kit/http/client';
import { systemClock } from '@procurement/kit/runtime/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'undici';
import { allowedResponseHeaders } from '../answer/response-headers.ts';
import { withEncodedIgnoredMembers } from '../generations/ignored-members.ts';
import type { ResponseSettings } from '../answer/response-headers.ts';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { Codec } from '../generations/codec.ts';
import { chargeAnswer } from '../limits/answer-weight.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { upstreamHeaders } from './upstream-headers.ts';
import { upstreamProblem } from './upstream-problem.ts';

/** Bound of attempts when the object changes between the read and the write. */
const ATTEMPTS_MAX = 3;

/** A change whose canonical form depends on what is stored (generations.md 5.1). */
export interface ReadModifyWrite {
  readonly pool: Pool;
  readonly route: RouteContract;
  readonly codec: Codec;
  /** Canonical path, without query. */
  readonly path: string;
  readonly segment: string;
  readonly settings: ResponseSettings;
  readonly rateLimit: RateLimit;
  /** Identity for the write. */
  readonly identity: string;
  /** Identity of the same caller for the read. */
  readonly readIdentity: string;
}

/**
 * Reads the object as its service shows it to this caller, decodes the change against it, and writes the result with `If-Match` on
 * the version that was read. Tries again when the version has changed; 409 `object.conflict` after the last attempt. When the caller
 * may not see the object, the change is sent all the same and the service refuses it.
 */
export async function readModifyWrite(
  request: FastifyRequest,
  reply: FastifyReply,
  write: ReadModifyWrite,
): Promise<FastifyReply> {
  const { context } = request;
  try {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const stored = await readStored(request, write);
      if ('errors' in stored) return await sendProblem(reply, stored);
      const response = await sendWrite(request, write, stored);
      const text = await response.body.text();
      chargeAnswer(write, request, { bytes: text.length, worked: response.headers[WORK_BYTES_HEADER] });
      // A failed condition of the client itself is its response.
      if (response.statusCode === 412 && stored.version !== undefined && request.headers['if-match'] === undefined)
        continue;
      const { codec, route, segment, settings } = write;
      const codecContext = {
        route,
        status: response.statusCode,
        query: context.query,
        sent: context.deferredData,
        generation01: context.generation01,
      };
      const allowed = allowedResponseHeaders(response.headers, { base: settings.base, segment });
      const headers = withEncodedIgnoredMembers(allowed, codec, codecContext);
      delete headers['content-length'];
      return await reply.code(response.statusCode).headers(headers).send(codec.encodeResponse(codecContext, text));
    }
    return await sendProblem(reply, problem('object.conflict'));
  } catch (error) {
    request.log.warn({ err: error, requestId: context.requestId }, 'request to service failed');
    return sendProblem(reply, upstreamProblem(error));
  }
}

interface StoredObject {
  readonly object?: JsonObject;
  /** ETag of the version that was read; absent when the service sends none. */
  readonly version?: string;
}

async function readStored(
  request: FastifyRequest,
  { pool, path, readIdentity }: ReadModifyWrite,
): Promise<StoredObject | Problem> {
  const { context } = request;
  const response = await pool.request({
    path,
    method: 'GET',
    headers: upstreamHeaders(context, {}, readIdentity),
  });
  const text = await response.body.text();
  if (response.statusCode >= 500) return problem('service.bad-gateway');
  if (response.statusCode !== 200) return {};
  const root: unknown = JSON.parse(text);
  const version = response.headers.etag;
  if (!isJsonObject(root) || !isJsonObject(root['data'])) return problem('service.bad-gateway');
  return { object: root['data'], ...(typeof version === 'string' ? { version } : {}) };
}

async function sendWrite(request: FastifyRequest, write: ReadModifyWrite, stored: StoredObject) {
  const { context } = request;
  const decoded = write.codec.decodeRequest(write.route, context.deferredData ?? {}, {
    now: systemClock.now(),
    stored: stored.object,
    generation01: context.generation01,
  });
  const [body, type] =
    'refused' in decoded ? [decoded.refused, REFUSAL_MEDIA_TYPE] : [{ data: decoded.data }, 'application/json'];
  const headers = upstreamHeaders(context, request.headers, write.identity);
  const version = headers['if-match'] ?? stored.version;
  return write.pool.request({
    path: context.query === '' ? write.path : `${write.path}?${context.query}`,
    method: write.route.method,
    headers: {
      ...headers,
      'content-type': type,
      ...(version === undefined ? {} : { 'if-match': version }),
    },
    body: JSON.stringify(body),
  });
}
