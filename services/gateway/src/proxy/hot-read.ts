import type { ServerResponse } from 'node:http';
import type { RouteContract } from '@procurement/contracts/api/route';
import type { Problem } from '@procurement/contracts/problems/problems';
import { inPieces, isLongAnswer } from '@procurement/kit/http/in-pieces';
import type { ReadAnswer } from '@procurement/kit/http/read-frames';
import { JSON_TYPE, toProblem, problemText } from '@procurement/kit/http/server';
import { QueueFullError } from '@procurement/kit/runtime/fair-queue';
import { isRecording } from '@procurement/kit/runtime/spans';
import { traceMembers } from '@procurement/kit/runtime/trace-context';
import { textOfUtf8, encodeUtf8 } from '@procurement/kit/runtime/utf8';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { negotiateCoding, compress, COMPRESS_BYTES_MIN } from '../answer/compression.ts';
import { JAVASCRIPT_TYPE, wrapJsonp } from '../answer/jsonp.ts';
import { jsonBytesWithBase } from '../answer/public-base.ts';
import { callbackOf } from '../answer/response-format.ts';
import { responseHeaders } from '../answer/response-headers.ts';
import { LONG_TEXT_BYTES } from '../answer/text-work.ts';
import { indentJson } from '../json/indent-json.ts';
import { SEGMENTS } from '../generations/segments.ts';
import { chargeAnswer } from '../limits/answer-weight.ts';
import type { ByteLease } from '../limits/byte-budget.ts';
import type { PathEntry } from '../request/routes.table.ts';
import type { ProxyDeps } from './deps.ts';
import { leaseUntilClosed, TOO_MANY_BYTES, TooManyBytesError } from './kept-answer.ts';
import type { Reader } from './read-together.ts';
import { MAPPED_AT_ONCE_MAX, makeResponseCache } from './response-cache.ts';
import { ifNoneMatchOfSegment } from './upstream-headers.ts';
import { upstreamProblem } from './upstream-problem.ts';
import { toError } from '@procurement/kit/runtime/to-error';

/** What is read for a request. */
export interface HotReadTarget {
  readonly entry: PathEntry;
  readonly route: RouteContract;
  /** Canonical path with query. */
  readonly target: string;
  readonly identity: string;
}

/** Mapping is pure, so all gateways of a process share one cache. */
const responseCache = makeResponseCache();

/**
 * Answers a GET without Fastify's reply and without streams. Its read travels with those of other requests (decision 0011).
 * Headers, errors and limits equal those of the other paths.
 */
export function hotRead(deps: ProxyDeps, request: FastifyRequest, reply: FastifyReply, read: HotReadTarget): void {
  reply.hijack();
  const { context, headers } = request;
  const { entry, target, identity } = read;
  const ifNoneMatch = ifNoneMatchOfSegment(headers['if-none-match'], entry.segment);
  // Callers with a key may get another answer. While spans are recorded, each request has one in its service (decision 0047).
  const isShared = context.caller.kind === 'anonymous' && !isRecording();
  const key = isShared ? `${SEGMENTS[entry.segment]} ${ifNoneMatch ?? ''} ${target}` : undefined;
  const { requestId, trace } = context;
  const reader = new HotRead(deps, request, reply.raw, read);
  const pending = deps.readTogether(key, { target, identity, requestId, ifNoneMatch, ...traceMembers(trace) }, reader);
  reply.raw.on('close', () => pending.leave(reader));
}

type Headers = Record<string, string>;

class HotRead implements Reader {
  readonly #deps: ProxyDeps;
  readonly #request: FastifyRequest;
  readonly #response: ServerResponse;
  readonly #read: HotReadTarget;
  #lease: ByteLease | undefined;

  constructor(deps: ProxyDeps, request: FastifyRequest, response: ServerResponse, read: HotReadTarget) {
    this.#deps = deps;
    this.#request = request;
    this.#response = response;
    this.#read = read;
  }

  /** A slow client must hold neither the connection to the service nor much memory. */
  keeps(bytes: number): boolean {
    this.#lease ??= leaseUntilClosed(this.#deps.answerBytes, this.#request.context.address, this.#response);
    return this.#lease.take(bytes);
  }

  onAnswer({ status, bytes, revision, retryAfter }: ReadAnswer): void {
    const { context } = this.#request;
    const isMapped = bytes.length > 0 && !this.#codec().passesResponseThrough(this.#read.route);
    chargeAnswer(this.#deps, this.#request, { bytes: bytes.length, isMapped });
    const headers = this.#headers();
    if (status !== 304) headers['content-type'] = JSON_TYPE;
    if (revision > 0) headers['etag'] = `"${revision}-${this.#read.entry.segment}"`;
    if (retryAfter > 0) headers['retry-after'] = String(retryAfter);
    const indents = context.pretty && bytes.length > 0;
    if ((isMapped && bytes.length > MAPPED_AT_ONCE_MAX) || (indents && bytes.length > LONG_TEXT_BYTES)) {
      const { base } = this.#deps.responseSettings;
      const encode = { base, segment: this.#read.entry.segment, context: this.#encodeContext(status) };
      this.#deps.textWork
        .run(this.#request, bytes, { ...(isMapped && { encode }), indents })
        // Links are found by the text of each string, which indenting does not change.
        .then((worked) => this.#sendWrapped(status, headers, this.#linked(worked)))
        .catch((error: unknown) => this.onFailure(toError(error)));
      return;
    }
    // Links come after the cache, which all addresses share.
    const linked = this.#linked(isMapped ? this.#mapped(status, bytes) : bytes);
    this.#sendWrapped(status, headers, indents ? encodeUtf8(indentJson(textOfUtf8(linked))) : linked);
  }

  onFailure(error: Error): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    if (error instanceof TooManyBytesError) this.#sendProblem(TOO_MANY_BYTES);
    else if (error instanceof QueueFullError) this.#sendProblem(toProblem(error));
    else {
      const { log, context } = this.#request;
      log.warn({ err: error, requestId: context.requestId }, 'request to service failed');
      this.#sendProblem(upstreamProblem(error));
    }
  }

  #codec() {
    return this.#deps.codecs(this.#read.entry.segment);
  }

  #headers(): Headers {
    return responseHeaders(this.#request.context, this.#request, this.#deps.responseSettings);
  }

  #encodeContext(status: number) {
    const { path, method } = this.#read.route;
    const { query, generation01 } = this.#request.context;
    return { route: { path, method }, status, query, generation01 };
  }

  #mapped(status: number, bytes: Buffer): Buffer {
    const { query, generation01 = '' } = this.#request.context;
    const { entry, target } = this.#read;
    const key = `${this.#deps.responseSettings.base} ${entry.segment} ${generation01}?${query} ${status} ${target}`;
    return responseCache(key, bytes, (text) => this.#codec().encodeResponse(this.#encodeContext(status), text));
  }

  #linked(bytes: Buffer): Buffer {
    const { publicBase } = this.#request.context;
    return publicBase === undefined ? bytes : jsonBytesWithBase(bytes, publicBase);
  }

  #sendWrapped(status: number, headers: Headers, bytes: Buffer): void {
    const callback = bytes.length === 0 ? undefined : callbackOf(this.#request.context, status);
    if (callback !== undefined) headers['content-type'] = JAVASCRIPT_TYPE;
    this.#send(status, headers, callback === undefined ? bytes : wrapJsonp(callback, bytes));
  }

  #send(status: number, headers: Headers, bytes: Buffer): void {
    if (this.#response.destroyed) return;
    const isCompressed = this.#deps.config.COMPRESSION && bytes.length > COMPRESS_BYTES_MIN;
    const coding = isCompressed ? negotiateCoding(this.#request.headers['accept-encoding']?.toString()) : undefined;
    if (coding === undefined) {
      this.#write(status, headers, bytes);
      return;
    }
    headers['content-encoding'] = coding;
    compress(bytes, coding, (error, compressed) => {
      if (error === null) this.#write(status, headers, compressed);
      else this.#response.destroy(error);
    });
  }

  #sendProblem(failure: Problem): void {
    const headers = { ...this.#headers(), ...failure.headers, 'content-type': JSON_TYPE };
    this.#write(failure.status, headers, encodeUtf8(problemText(this.#request, failure)));
  }

  #write(status: number, headers: Headers, bytes: Buffer): void {
    this.#request.context.endTurn?.();
    if (status !== 304) headers['content-length'] = String(bytes.length);
    this.#response.writeHead(status, headers);
    if (isLongAnswer(bytes)) inPieces(bytes).pipe(this.#response);
    else this.#response.end(bytes);
  }
}
