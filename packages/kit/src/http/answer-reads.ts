import type { ServerResponse } from 'node:http';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { FastifyInstance } from 'fastify';
import { unixSeconds } from '../runtime/clock.ts';
import { ProblemError } from '../runtime/problem-error.ts';
import { isRecording, openSpan, withinSpan } from '../runtime/spans.ts';
import { parseTraceContext } from '../runtime/trace-context.ts';
import { encodeUtf8 } from '../runtime/utf8.ts';
import { namesEtag, revisionEtag } from './etag.ts';
import type { Identity } from './identity.ts';
import type { Handler } from './mount.ts';
import {
  decodeReads,
  encodeHead,
  READS_BYTES_MAX,
  READS_PATH,
  RETRY_AFTER_MAX,
  type Read,
  type ReadAnswer,
} from './read-frames.ts';
import { isFailure, toProblem, problemText, sendJson } from './server.ts';
import { toError } from '../runtime/to-error.ts';

/** A GET, alone or with others. */
export interface ReadRequest {
  /** Path with query. */
  readonly url: string;
  readonly identity: Identity;
  readonly ifNoneMatch?: string | undefined;
}

/** Answers the GETs of a route. It must not be sealed: reads that are recorded travel alone. */
export interface ReadRoute {
  /** Pattern of the path. */
  readonly path: string;
  /** Throws refusals. */
  answer(request: ReadRequest): Promise<ReadAnswer>;
}

/** Answers a GET that has come alone. */
export function answerAlone({ answer }: ReadRoute): Handler {
  return async ({ url, identity, headers }, reply) => {
    const { status, bytes, revision } = await answer({ url, identity, ifNoneMatch: headers['if-none-match'] });
    if (revision > 0) reply.header('etag', revisionEtag(revision));
    return status === 304 ? reply.code(304).send() : sendJson(reply, status, bytes);
  };
}

/** A text with the revision of its object; 304 when the request has it already. */
export function answerWith({ ifNoneMatch }: ReadRequest, bytes: Buffer, revision = 0): ReadAnswer {
  const isKnown = revision > 0 && ifNoneMatch !== undefined && namesEtag(ifNoneMatch, revisionEtag(revision));
  return isKnown
    ? { status: 304, bytes: Buffer.alloc(0), revision, retryAfter: 0 }
    : { status: 200, bytes, revision, retryAfter: 0 };
}

/** Mounts the operation that answers the reads of one turn of the gateway's event loop (decision 0011). */
export function mountReads(app: FastifyInstance, routeOf: (url: string) => ReadRoute | undefined): void {
  app.post(READS_PATH, { bodyLimit: READS_BYTES_MAX }, (request, reply) => {
    const reads = Buffer.isBuffer(request.body) ? decodeReads(request.body) : undefined;
    if (reads === undefined) throw new ProblemError(problem('request.bad'));
    reply.hijack();
    const answers = new AnswerWriter(reply.raw, reads.length);
    reads.forEach((read, index) => {
      answerTo(read)
        .then((answer) => answers.add(index, answer))
        .catch((error: unknown) => {
          // A fault of this code. The gateway reads again those that have no answer.
          app.log.error({ err: error, requestId: read.requestId }, 'reads failed');
          reply.raw.destroy();
        });
    });
  });

  async function answerTo(read: Read): Promise<ReadAnswer> {
    const { target: url, ifNoneMatch, requestId } = read;
    const identity = app.verifyIdentity(read.identity, { method: 'GET', url }, unixSeconds());
    const route = routeOf(url);
    if (identity === undefined || route === undefined)
      return refusal(problem(identity === undefined ? 'request.forbidden' : 'request.not-found'), identity);
    const answer = async (): Promise<ReadAnswer> =>
      route.answer({ url, identity, ifNoneMatch }).catch((error: unknown) => {
        const failure = toProblem(toError(error));
        if (isFailure(failure, error))
          app.log.error({ err: error, requestId, traceId: parseTraceContext({ ...read })?.traceId }, 'request failed');
        return refusal(failure, identity);
      });
    return isRecording() ? withinReadSpan(read, route.path, answer) : answer();
  }
}

async function withinReadSpan(read: Read, path: string, answer: () => Promise<ReadAnswer>): Promise<ReadAnswer> {
  const attributes = { 'http.request.method': 'GET', 'http.route': path, 'procurement.request_id': read.requestId };
  const span = openSpan({ kind: 'server', name: `GET ${path}`, parent: parseTraceContext({ ...read }), attributes });
  const answered = await withinSpan(span.context, answer);
  const { status } = answered;
  span.end({ attributes: { 'http.response.status_code': status }, failed: status >= 500 });
  return answered;
}

function refusal(failure: Problem, identity: Identity | undefined): ReadAnswer {
  const text = problemText({ explainsErrors: identity?.segment === '2.5' }, failure);
  const retryAfter = Math.min(RETRY_AFTER_MAX, Number(failure.headers?.['retry-after'] ?? 0));
  return { status: failure.status, bytes: encodeUtf8(text), revision: 0, retryAfter };
}

/** A longer answer is sent in pieces of this size, and others between them. */
const PIECE_BYTES = 64 * 1024;

interface LongAnswer {
  readonly index: number;
  readonly answer: ReadAnswer;
  sent: number;
}

/** Writes answers as they come: those of one turn of the event loop together. */
class AnswerWriter {
  readonly #response: ServerResponse;
  #missing: number;
  #ready: Buffer[] = [];
  #long: LongAnswer[] = [];
  #isWaiting = false;

  constructor(response: ServerResponse, count: number) {
    this.#response = response;
    this.#missing = count;
  }

  add(index: number, answer: ReadAnswer): void {
    this.#missing -= 1;
    if (answer.bytes.length > PIECE_BYTES) this.#long.push({ index, answer, sent: 0 });
    else this.#addPiece(index, answer, answer.bytes, true);
    if (this.#missing === 0 && !this.#isWaiting) this.#write();
    else this.#writeLater();
  }

  #addPiece(index: number, { status, revision, retryAfter }: ReadAnswer, bytes: Buffer, isLast: boolean): void {
    this.#ready.push(encodeHead({ index, isLast, status, revision, retryAfter, length: bytes.length }), bytes);
  }

  #writeLater(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setImmediate(() => {
      this.#isWaiting = false;
      this.#write();
    });
  }

  #write(): void {
    const response = this.#response;
    if (response.destroyed) return;
    for (const long of this.#long) {
      const bytes = long.answer.bytes.subarray(long.sent, long.sent + PIECE_BYTES);
      long.sent += bytes.length;
      this.#addPiece(long.index, long.answer, bytes, long.sent === long.answer.bytes.length);
    }
    this.#long = this.#long.filter(({ answer, sent }) => sent < answer.bytes.length);
    const bytes = Buffer.concat(this.#ready);
    this.#ready = [];
    const isEnd = this.#missing === 0 && this.#long.length === 0;
    if (isEnd && !response.headersSent) response.setHeader('content-length', bytes.length);
    if (isEnd) response.end(bytes);
    else if (!response.write(bytes)) {
      this.#isWaiting = true;
      response.once('drain', () => {
        this.#isWaiting = false;
        this.#write();
      });
    } else if (this.#long.length > 0) this.#writeLater();
  }
}
