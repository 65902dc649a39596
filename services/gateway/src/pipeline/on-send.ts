import { Readable } from 'node:stream';
import { REPR_DIGEST_HEADER, reprDigestOf } from '@procurement/kit/http/repr-digest';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { responseHeaders } from './response-headers.ts';
import { negotiateCoding, compress, COMPRESS_BYTES_MIN, compressionStream, isCompressible } from './compression.ts';
import { formatResponse, needsFormatting } from './response-format.ts';
import type { Deps } from '../deps.ts';
import { jsonBytesWithBase, jsonWithBase, locationWithBase } from './public-base.ts';
import { firstHeaderValue } from './request-target.ts';

/**
 * Registers the hook for every response that Fastify sends: common headers, then links that follow the request, format options (`opt_pretty`, `opt_jsonp`) and
 * compression. Hot reads bypass Fastify and call the same functions (proxy/hot-read.ts).
 */
export function registerOnSend(app: FastifyInstance, deps: Deps): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    for (const [name, value] of Object.entries(responseHeaders(request.context, request, deps.responseSettings))) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
    const type = reply.getHeader('content-type');
    // A file stays unchanged: its length, ranges and ETag belong to the stored bytes.
    const isFile = reply.hasHeader('content-disposition');
    const answer = isFile || !isCompressible(type) ? payload : linkToRequest(request, payload);
    linkLocation(request, reply);
    if (isFile || !isCompressible(type) || request.method === 'HEAD') {
      digest(reply, answer);
      done(null, answer);
      return;
    }
    const text = isText(answer) ? applyFormat(request, reply, answer) : answer;
    const coding = deps.config.COMPRESSION
      ? negotiateCoding(firstHeaderValue(request.headers['accept-encoding']))
      : undefined;
    if (coding === undefined || reply.hasHeader('content-encoding')) {
      digest(reply, text);
      done(null, text);
    } else if (isText(text) && text.length > COMPRESS_BYTES_MIN) {
      reply.removeHeader('content-length').header('content-encoding', coding);
      compress(text, coding, (error, bytes) => {
        if (error !== null) {
          done(error);
          return;
        }
        digest(reply, bytes);
        done(null, bytes);
      });
    } else if (text instanceof Readable && Number(reply.getHeader('content-length') ?? Infinity) > COMPRESS_BYTES_MIN) {
      reply.removeHeader('content-length').header('content-encoding', coding);
      const compressed = compressionStream(coding);
      text.once('error', (error) => compressed.destroy(error));
      done(null, text.pipe(compressed));
    } else {
      digest(reply, text);
      done(null, text);
    }
  });
}

/** The digest of a service is of its own text, before links, format and coding. */
function digest(reply: FastifyReply, payload: unknown): void {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (isWhole && reply.hasHeader(REPR_DIGEST_HEADER)) reply.header(REPR_DIGEST_HEADER, reprDigestOf(payload));
}

/** After answers were stored for repeats: a repeat may come by another address. */
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

function applyFormat(request: FastifyRequest, reply: FastifyReply, answer: string | Buffer): string | Buffer {
  if (answer.length === 0 || !needsFormatting(request.context)) return answer;
  const formatted = formatResponse(request.context, reply.statusCode, answer.toString());
  reply.removeHeader('content-length');
  if (formatted.type !== undefined) reply.header('content-type', formatted.type);
  return formatted.text;
}
