import { Readable } from 'node:stream';
import { textOfUtf8, encodeUtf8 } from '@procurement/kit/runtime/utf8';
import { REPR_DIGEST_HEADER, reprDigestOf } from '@procurement/kit/http/repr-digest';
import { inPieces, isLongAnswer } from '@procurement/kit/http/in-pieces';
import { JSON_TYPE, toProblem, problemText } from '@procurement/kit/http/server';
import { QueueFullError } from '@procurement/kit/runtime/fair-queue';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { responseHeaders } from '../answer/response-headers.ts';
import {
  negotiateCoding,
  compress,
  COMPRESS_BYTES_MIN,
  compressionStream,
  isCompressible,
} from '../answer/compression.ts';
import { callbackOf, needsFormatting } from '../answer/response-format.ts';
import { JAVASCRIPT_TYPE, wrapJsonp } from '../answer/jsonp.ts';
import { LONG_TEXT_BYTES } from '../answer/text-work.ts';
import type { HookDeps } from './deps.ts';
import { jsonBytesWithBase, jsonWithBase, locationWithBase } from '../answer/public-base.ts';
import { indentJson } from '../json/indent-json.ts';
import { firstHeaderValue } from '../request/request-target.ts';
import { toError } from '@procurement/kit/runtime/to-error';

/**
 * Registers the hook for every response that Fastify sends: common headers, then links that follow the request, format options (`opt_pretty`, `opt_jsonp`) and
 * compression. Hot reads bypass Fastify and call the same functions (proxy/hot-read.ts).
 */
export function registerOnSend(app: FastifyInstance, deps: HookDeps): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    for (const [name, value] of Object.entries(responseHeaders(request.context, request, deps.responseSettings))) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
    const type = reply.getHeader('content-type');
    // A file stays unchanged: its length, ranges and ETag belong to the stored bytes.
    const isFile = reply.hasHeader('content-disposition') || request.context.unchanged === true;
    const answer = isFile || !isCompressible(type) ? payload : linkToRequest(request, payload);
    linkLocation(request, reply);
    const send: Done = (error, sent) => {
      request.context.endTurn?.();
      if (error !== null) {
        done(error);
        return;
      }
      digest(reply, sent);
      if (request.method === 'GET' && Buffer.isBuffer(sent) && isLongAnswer(sent)) {
        reply.header('content-length', sent.length);
        done(null, inPieces(sent));
      } else done(null, sent);
    };
    if (isFile || !isCompressible(type) || request.method === 'HEAD') {
      send(null, answer);
      return;
    }
    const sendFormatted = (text: unknown): void => sendCompressed(deps, request, reply, text, send);
    if (!isText(answer) || answer.length === 0 || !needsFormatting(request.context)) sendFormatted(answer);
    else applyFormat(deps, request, reply, answer, sendFormatted);
  });
}

type Done = (error: Error | null, payload?: unknown) => void;

function sendCompressed(deps: HookDeps, request: FastifyRequest, reply: FastifyReply, text: unknown, done: Done): void {
  const coding = deps.config.COMPRESSION
    ? negotiateCoding(firstHeaderValue(request.headers['accept-encoding']))
    : undefined;
  if (coding === undefined || reply.hasHeader('content-encoding')) {
    done(null, text);
  } else if (isText(text) && text.length > COMPRESS_BYTES_MIN) {
    reply.removeHeader('content-length').header('content-encoding', coding);
    compress(text, coding, (error, bytes) => (error === null ? done(null, bytes) : done(error)));
  } else if (text instanceof Readable && Number(reply.getHeader('content-length') ?? Infinity) > COMPRESS_BYTES_MIN) {
    reply.removeHeader('content-length').header('content-encoding', coding);
    const compressed = compressionStream(coding);
    text.once('error', (error) => compressed.destroy(error));
    done(null, text.pipe(compressed));
  } else done(null, text);
}

/** The digest of a service is of its own text, before links, format and coding. */
function digest(reply: FastifyReply, payload: unknown): void {
  if (isText(payload) && reply.hasHeader(REPR_DIGEST_HEADER)) reply.header(REPR_DIGEST_HEADER, reprDigestOf(payload));
}

/** Runs after answers were stored for repeats, because a repeat may come by another address. */
function linkToRequest({ context: { publicBase } }: FastifyRequest, payload: unknown): unknown {
  if (publicBase === undefined || !isText(payload)) return payload;
  return typeof payload === 'string' ? jsonWithBase(payload, publicBase) : jsonBytesWithBase(payload, publicBase);
}

function linkLocation({ context: { publicBase } }: FastifyRequest, reply: FastifyReply): void {
  const location = reply.getHeader('location');
  if (publicBase !== undefined && typeof location === 'string')
    void reply.header('location', locationWithBase(location, publicBase));
}

/** Answers of services are bytes, so that what nobody changes is not decoded. */
function isText(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

/** Indents and wraps an answer: a long one is indented in a thread, unless it answers a write. */
function applyFormat(
  { textWork }: HookDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: string | Buffer,
  send: (text: unknown) => void,
): void {
  const callback = callbackOf(request.context, reply.statusCode);
  const bytes = typeof answer === 'string' ? encodeUtf8(answer) : answer;
  const sendWrapped = (indented: Buffer): void =>
    send(callback === undefined ? indented : wrapJsonp(callback, indented));
  reply.removeHeader('content-length');
  if (callback !== undefined) reply.header('content-type', JAVASCRIPT_TYPE);
  if (!request.context.pretty) {
    sendWrapped(bytes);
    return;
  }
  if (request.context.write || bytes.length <= LONG_TEXT_BYTES) {
    sendWrapped(encodeUtf8(indentJson(textOfUtf8(bytes))));
    return;
  }
  textWork.run(request, bytes, { indents: true }).then(sendWrapped, (error: unknown) => {
    const failure = toProblem(toError(error));
    if (!(error instanceof QueueFullError))
      request.log.error({ err: error, requestId: request.context.requestId }, 'answer not indented');
    reply.code(failure.status).removeHeader('etag');
    reply.headers({ ...failure.headers, 'content-type': JSON_TYPE, 'cache-control': 'no-store' });
    send(problemText(request, failure));
  });
}
