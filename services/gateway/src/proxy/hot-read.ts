import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '@procurement/contracts/problems/problems';
import { inPieces, isLongAnswer } from '@procurement/kit/http/in-pieces';
import { JSON_TYPE, problemOf, problemText } from '@procurement/kit/http/server';
import { textOfUtf8, utf8Of } from '@procurement/kit/runtime/utf8';
import { QueueFullError } from '@procurement/kit/runtime/fair-queue';
import { responseHeaders, allowedResponseHeaders, type ResponseSettings } from '../answer/response-headers.ts';
import {
  negotiateCoding,
  compress,
  COMPRESS_BYTES_MIN,
  isCompressible,
  type ContentCoding,
} from '../answer/compression.ts';
import { JAVASCRIPT_TYPE } from '../answer/jsonp.ts';
import { jsonBytesWithBase } from '../answer/public-base.ts';
import { formatOf, formatText, needsFormatting } from '../answer/response-format.ts';
import { LONG_TEXT_BYTES } from '../answer/text-work.ts';
import { MAPPED_AT_ONCE_MAX, makeResponseCache } from './response-cache.ts';
import { chargeAnswer } from '../limits/answer-weight.ts';
import type { ByteBudget, ByteLease } from '../limits/byte-budget.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { leaseUntilClosed, TOO_MANY_BYTES, TooManyBytesError } from './kept-answer.ts';
import type { SharedReads, UpstreamAnswer, UpstreamRead } from './shared-reads.ts';
import { upstreamProblem } from './upstream-problem.ts';

/** Input of a direct read beside the request. */
export interface HotRead extends UpstreamRead {
  readonly reads: SharedReads;
  /** Equal for requests that get the same answer from the service; absent when nobody else may get it. */
  readonly shareKey: string | undefined;
  readonly settings: ResponseSettings;
  readonly urlBase: { readonly base: string; readonly segment: string };
  readonly compression: boolean;
  readonly rateLimit: RateLimit;
  /** Bounds the long answers that are in memory. */
  readonly answerBytes: ByteBudget;
  /** Maps the text of a response to the segment; absent when it passes unchanged. */
  readonly map?: ((status: number, text: string) => string) | undefined;
  /** Maps and formats a long answer, in a thread. */
  readonly work: (status: number, bytes: Buffer) => Promise<Buffer>;
  /** What `map` depends on beside segment, status and target: the query as the client wrote it, and its generation. */
  readonly variant: string;
}

/** Mapping is pure, so all gateways of a process share one cache. */
const responseCache = makeResponseCache();

/**
 * Answers a GET by undici directly, without Fastify's reply and without streams: 1.3 times the requests per second of the proxy
 * plugin (decision 0011, bench/hot-read.ts). Headers, errors and limits equal those of the other paths. Retries once when no
 * response can have been sent; aborts the request to the service when all its clients have disconnected.
 */
export function hotRead(request: FastifyRequest, reply: FastifyReply, read: HotRead): void {
  reply.hijack();
  const response = reply.raw;
  const ownHeaders = responseHeaders(request.context, request, read.settings);
  let lease: ByteLease | undefined;

  const respondProblem = (failure: Problem): void => {
    const body = problemText(request, failure);
    response.writeHead(failure.status, {
      ...ownHeaders,
      ...failure.headers,
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  };
  const onFailure = (error: Error): void => {
    response.off('close', leave);
    if (response.destroyed || response.writableEnded) return;
    if (error instanceof TooManyBytesError) {
      respondProblem(TOO_MANY_BYTES);
      return;
    }
    if (error instanceof QueueFullError) {
      respondProblem(problemOf(error));
      return;
    }
    request.log.warn({ err: error, requestId: request.context.requestId }, 'request to service failed');
    respondProblem(upstreamProblem(error));
  };
  const onAnswer = ({ status, headers: given, body }: UpstreamAnswer): void => {
    response.off('close', leave);
    chargeAnswer(read, request, { bytes: body.length, isMapped: read.map !== undefined });
    const headers = { ...ownHeaders, ...allowedResponseHeaders(given, read.urlBase) };
    const sendPlain = (bytes: Buffer): void => {
      if (status !== 304) headers['content-length'] = String(bytes.length);
      response.writeHead(status, headers);
      if (isLongAnswer(bytes)) inPieces(bytes).pipe(response);
      else response.end(bytes);
    };
    const send = (bytes: Buffer): void => {
      if (response.destroyed) return;
      const coding = read.compression ? codingOf(request, headers, bytes) : undefined;
      if (coding === undefined) {
        sendPlain(bytes);
        return;
      }
      headers['content-encoding'] = coding;
      compress(bytes, coding, (error, compressed) => {
        if (error === null) sendPlain(compressed);
        else response.destroy(error);
      });
    };
    const isFormatted = needsFormatting(request.context) && body.length > 0;
    if (isFormatted && formatOf(request.context, status).callback !== undefined)
      headers['content-type'] = JAVASCRIPT_TYPE;
    // Links begin at a quote, and are followed by no blank: they are found in a formatted text too.
    if (isFormatted ? body.length > LONG_TEXT_BYTES : read.map !== undefined && body.length > MAPPED_AT_ONCE_MAX) {
      read.work(status, body).then((worked) => send(linked(request, worked)), onFailure);
      return;
    }
    let bytes: Buffer;
    try {
      bytes = bytesOf(request, read, status, body);
    } catch (error) {
      onFailure(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    send(isFormatted ? utf8Of(formatText(formatOf(request.context, status), textOfUtf8(bytes))) : bytes);
  };
  // A slow client must hold neither the connection to the service nor much memory.
  const keeps = (bytes: number): boolean => {
    lease ??= leaseUntilClosed(read.answerBytes, request.context.address, response);
    return lease.take(bytes);
  };
  const leave = read.reads(read.shareKey, read, { onAnswer, onFailure, keeps });
  response.once('close', leave);
}

/** The answer of the service in the segment of the request, with its links. */
function bytesOf(request: FastifyRequest, read: HotRead, status: number, received: Buffer): Buffer {
  const { map, urlBase, variant, target } = read;
  let bytes = received;
  if (map !== undefined && received.length > 0) {
    const key = `${urlBase.base} ${urlBase.segment} ${variant} ${status} ${target}`;
    bytes = responseCache(key, received, (text) => map(status, text));
  }
  // After the cache, which all addresses share.
  return linked(request, bytes);
}

function linked({ context: { publicBase } }: FastifyRequest, bytes: Buffer): Buffer {
  return publicBase === undefined ? bytes : jsonBytesWithBase(bytes, publicBase);
}

function codingOf(
  request: FastifyRequest,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
): ContentCoding | undefined {
  if (bytes.length <= COMPRESS_BYTES_MIN || !isCompressible(headers['content-type'])) return undefined;
  return negotiateCoding(request.headers['accept-encoding']?.toString());
}
