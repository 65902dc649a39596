import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import type { Problem } from '@procurement/contracts/problems/problems';
import { JSON_TYPE, problemText } from '@procurement/kit/http/server';
import { responseHeaders, allowedResponseHeaders, type ResponseSettings } from '../pipeline/response-headers.ts';
import {
  negotiateCoding,
  compress,
  COMPRESS_BYTES_MIN,
  isCompressible,
  type ContentCoding,
} from '../pipeline/compression.ts';
import { jsonBytesWithBase } from '../pipeline/public-base.ts';
import { makeResponseCache } from './response-cache.ts';
import type { ByteBudget, ByteLease } from '../limits/byte-budget.ts';
import { leaseUntilClosed, TOO_MANY_BYTES, TooManyBytesError, UNCOUNTED_BYTES_MAX } from './kept-answer.ts';
import { mayRetry, upstreamProblem } from './upstream-problem.ts';

/** Input of a direct read beside the request. */
export interface HotRead {
  readonly pool: Dispatcher;
  /** Canonical path with query. */
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly settings: ResponseSettings;
  readonly urlBase: { readonly base: string; readonly segment: string };
  readonly compression: boolean;
  /** Bounds the long answers that are in memory. */
  readonly answerBytes: ByteBudget;
  /** Maps the text of a response to the segment; absent when it passes unchanged. */
  readonly map?: ((status: number, text: string) => string) | undefined;
  /** What `map` depends on beside segment, status and target: the query as the client wrote it, and its generation. */
  readonly variant: string;
}

/** Mapping is pure, so all gateways of a process share one cache. */
const responseCache = makeResponseCache();

/**
 * Answers a GET by undici directly, without Fastify's reply and without streams: 1.3 times the requests per second of the proxy
 * plugin (decision 0011, bench/hot-read.ts). Headers, errors and limits equal those of the other paths. Retries once when no
 * response can have been sent; aborts the request to the service when the client disconnects.
 */
export function hotRead(request: FastifyRequest, reply: FastifyReply, read: HotRead): void {
  reply.hijack();
  dispatchRead(request, reply, read, 0);
}

function dispatchRead(request: FastifyRequest, reply: FastifyReply, read: HotRead, retries: number): void {
  const response = reply.raw;
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let headers: Record<string, string> = {};
  let coding: ContentCoding | undefined;
  let controller: Dispatcher.DispatchController | undefined;
  let lease: ByteLease | undefined;
  const abortUpstream = (): void => controller?.abort(new Error('client disconnected'));
  const ownHeaders = responseHeaders(request.context, request, read.settings);

  // A slow client must hold neither the connection to the service nor much memory.
  const keeps = (bytes: number): boolean => {
    lease ??= leaseUntilClosed(read.answerBytes, request.context.address, response);
    return lease.take(bytes);
  };
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
  const onUpstreamError = (error: Error): void => {
    response.off('close', abortUpstream);
    if (response.destroyed || response.writableEnded) return;
    if (status === 0 && mayRetry('GET', retries, error)) dispatchRead(request, reply, read, retries + 1);
    else if (error instanceof TooManyBytesError) respondProblem(TOO_MANY_BYTES);
    else {
      request.log.warn({ err: error, requestId: request.context.requestId }, 'request to service failed');
      respondProblem(upstreamProblem(error));
    }
  };

  response.once('close', abortUpstream);
  read.pool.dispatch(
    { path: read.target, method: 'GET', headers: read.headers },
    {
      onRequestStart: (started) => {
        controller = started;
        if (response.destroyed) abortUpstream();
      },
      onResponseStart: (_controller, code, given) => {
        if (code < 200) return;
        status = code;
        headers = { ...ownHeaders, ...allowedResponseHeaders(given, read.urlBase) };
        const isLong = Number(headers['content-length'] ?? COMPRESS_BYTES_MIN + 1) > COMPRESS_BYTES_MIN;
        if (read.compression && isLong && isCompressible(headers['content-type'])) {
          coding = negotiateCoding(request.headers['accept-encoding']?.toString());
        }
      },
      onResponseData: (current, chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= UNCOUNTED_BYTES_MAX || keeps(chunk.length)) return;
        current.abort(new TooManyBytesError());
      },
      onResponseEnd: () => {
        response.off('close', abortUpstream);
        finish(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
      },
      onResponseError: (_controller, error) => onUpstreamError(error),
    },
  );

  const send = (bytes: Buffer): void => {
    if (status !== 304) headers['content-length'] = String(bytes.length);
    response.writeHead(status, headers);
    response.end(bytes);
  };
  const finish = (received: Buffer): void => {
    let bytes = received;
    try {
      const { map } = read;
      if (map !== undefined && received.length > 0) {
        const key = `${read.urlBase.base} ${read.urlBase.segment} ${read.variant} ${status} ${read.target}`;
        bytes = responseCache(key, received, (text) => map(status, text));
      }
      const { publicBase } = request.context;
      // After the cache, which all addresses share.
      if (publicBase !== undefined) bytes = jsonBytesWithBase(bytes, publicBase);
    } catch (error) {
      onUpstreamError(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (coding === undefined || bytes.length <= COMPRESS_BYTES_MIN) {
      send(bytes);
      return;
    }
    headers['content-encoding'] = coding;
    compress(bytes, coding, (error, compressed) => {
      if (error === null) send(compressed);
      else response.destroy(error);
    });
  };
}
