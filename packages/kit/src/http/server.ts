import { IGNORED_MEMBERS_HEADER } from '@procurement/contracts/problems/ignored-members';
import { explainedBody } from '@procurement/contracts/problems/explained-body';
import { problem, type Problem, problemBody, unavailable } from '@procurement/contracts/problems/problems';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type pg from 'pg';
import { ConflictError, IdleInTransactionError, isDatabaseUnavailable } from '../database/transaction.ts';
import { EventTooLargeError } from '../messaging/publish/outbox.ts';
import type { AuditAct } from '../database/audit.ts';
import { logOptions, statusClass } from './app-server.ts';
import { buildAuditAct, recordActs } from './audit-requests.ts';
import { IDENTITY_HEADER, type Identity, type IdentityVerifier } from './identity.ts';
import { makeActiveTraces, type ActiveTraces } from '../runtime/active-traces.ts';
import { secureIds } from '../runtime/ids.ts';
import type { Logger } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { WORK_BYTES_HEADER } from './client.ts';
import { asksForDryRun } from './dry-run.ts';
import { inPieces, isLongAnswer } from './in-pieces.ts';
import { ProblemError } from '../runtime/problem-error.ts';
import { makeReadinessMetrics, readinessWithin } from './readiness-metrics.ts';
import { parseTraceContext, startSpan, type TraceContext } from '../runtime/trace-context.ts';
import { isRecording, openSpan, unrecorded, withinSpan, type OpenSpan } from '../runtime/spans.ts';
import { parseDeadline, TIMEOUT_HEADER } from '../runtime/caller.ts';
import { unixSeconds } from '../runtime/clock.ts';
import type { ReadyDetail } from '../runtime/ready-detail.ts';
import { QueueFullError } from '../runtime/fair-queue.ts';
import { READS_PATH } from './read-frames.ts';
import { isReadingMethod } from './reading-method.ts';
import { encodeUtf8 } from '../runtime/utf8.ts';
import { UnavailableError } from '../database/unavailable-error.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Verifies identities of reads that travel together (answer-reads.ts). */
    readonly verifyIdentity: IdentityVerifier;
  }
  interface FastifyRequest {
    /** Verified identity of the caller. Set before any handler runs. */
    identity: Identity;
    /** The span of this request, in the trace of the gateway. Set before any handler runs. */
    trace: TraceContext;
    /** The act to record, when the caller is privileged and writes, or reads what may be sealed (decision 0071). */
    audit: AuditAct | undefined;
    /** Whether the request is only to be answered, and to change nothing (decision 0111). Set before any handler runs. */
    isDryRun: boolean;
    /** Whether errors have a code, a pointer and a link: on segment 2.5 (http.md 4.6). */
    explainsErrors: boolean;
    /** See `Caller`. Set before any handler runs. */
    deadlineMs: number;
    /** Bytes of the text that a write has stored anew; 0 for reads and refusals. */
    savedBytes: number;
  }
}

/** Content type of JSON responses (http.md 0.1.3). */
export const JSON_TYPE = 'application/json; charset=UTF-8';

/** The gateway accepts 16 KiB from clients and adds the identity and other headers. Node's 16 KiB would then be refused here, with 431. */
const HEADER_BYTES_MAX = 64 * 1024;

/** Usual objects are shorter, and are not told: the gateway counts larger ones only. */
const TOLD_BYTES_MIN = 16 * 1024;

/** Body of `/ready` and `/health`: whether this process may take traffic, and how far behind it is. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ok' | 'fail'>>;
  /** Why the service cannot serve although its database answers. */
  readonly unready?: string;
  /** Why NATS is not connected; absent while it is. */
  readonly busFault?: string;
  /** What NATS refused for lack of permission; absent while there is nothing. */
  readonly denied?: readonly string[];
  /** Events not yet applied, per durable; null while the bus is unreachable. */
  readonly lag?: Readonly<Record<string, number | null>>;
  /** Events stored but not yet published. */
  readonly outbox?: { readonly waiting: number; readonly oldestSeconds: number };
  /** Dead letters not yet replayed. */
  readonly deadLetters?: number;
  /** The same by durable. `relay`: events that could not be published. */
  readonly deadLettersByDurable?: Readonly<Record<string, number>>;
  /** What is stuck. It does not change `ready`, and `/health` answers 503 while there is something. */
  readonly details?: readonly ReadyDetail[];
}

export interface ServerOptions {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly verifyIdentity: IdentityVerifier;
  /** Largest request body in bytes. */
  readonly bodyBytesMax: number;
  /** Shared with the outbox, so that events continue the trace of their request. */
  readonly traces?: ActiveTraces;
  /** Database for the records of privileged acts (decision 0071). Without one nothing is recorded. */
  readonly auditPool?: pg.Pool;
  /** Whether no request may write now, because the service may have to take back what it would store. */
  readonly refusesWrites?: () => boolean;
  /** Body of `/ready`. Must resolve within a second and never reject. */
  readiness(): Promise<Readiness>;
}

/** Sends a refusal in the API's error shape. */
export function sendProblem(reply: FastifyReply, refusal: Problem): FastifyReply {
  if (refusal.headers !== undefined) reply.headers(refusal.headers);
  return reply.code(refusal.status).header('content-type', JSON_TYPE).send(problemText(reply.request, refusal));
}

/** The body of a refusal, as the segment of the request has it. */
export function problemText(request: { readonly explainsErrors: boolean }, refusal: Problem): string {
  return JSON.stringify(request.explainsErrors ? explainedBody(refusal) : problemBody(refusal));
}

/** Sends JSON that is already serialised, as text or as its UTF-8. */
export function sendJson(reply: FastifyReply, status: number, json: string | Buffer): FastifyReply {
  const bytes = typeof json === 'string' ? encodeUtf8(json) : json;
  reply.code(status).header('content-type', JSON_TYPE);
  return isLongAnswer(bytes) ? reply.header('content-length', bytes.length).send(inPieces(bytes)) : reply.send(bytes);
}

/**
 * An HTTP server behind the gateway. Refuses requests without a valid signed identity, passes bodies on as raw bytes (the order
 * of refusals is decided by handlers, http.md 0.2), and sends every error in the API's shape.
 */
export function buildServer(options: ServerOptions): FastifyInstance {
  const app = Fastify({
    ...logOptions(options.log),
    bodyLimit: options.bodyBytesMax,
    http: { maxHeaderSize: HEADER_BYTES_MAX },
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: (raw) => {
      const given = raw.headers['x-request-id'];
      return typeof given === 'string' ? given : `req-${secureIds.nextUuid()}`;
    },
    // Any path segment may be an id that does not exist (http.md 0.1.4), so a long one is a 404 and not a 414.
    routerOptions: { maxParamLength: 100_000 },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.decorate('verifyIdentity', options.verifyIdentity);
  app.decorateRequest('identity');
  app.decorateRequest('trace');
  app.decorateRequest('audit');
  app.decorateRequest('explainsErrors', false);
  app.decorateRequest('isDryRun', false);
  app.decorateRequest('deadlineMs', 0);
  app.decorateRequest('savedBytes', 0);
  const traces = options.traces ?? makeActiveTraces();
  mountOperationalRoutes(app, options);
  app.addHook('onRequest', async (request, reply) => {
    const span = openRequestSpan(request);
    request.trace = span.context;
    const active = traces.enter({ correlationId: request.id }, span.context);
    request.deadlineMs = parseDeadline(request.headers[TIMEOUT_HEADER]);
    // Not onResponse, which Fastify leaves out when the client has disconnected.
    reply.raw.on('close', () => {
      active.end();
      const { statusCode } = reply.raw;
      span.end({ attributes: { 'http.response.status_code': statusCode }, failed: statusCode >= 500 });
    });
    if (UNAUTHENTICATED_PATHS.has(request.routeOptions.url ?? '')) return;
    const header = request.headers[IDENTITY_HEADER];
    const identity = options.verifyIdentity(typeof header === 'string' ? header : undefined, request, unixSeconds());
    if (identity === undefined) throw new ProblemError(problem('request.forbidden'));
    if (options.refusesWrites?.() === true && !isRead(request))
      throw new ProblemError(unavailable(REFUSED_WRITE_RETRY_SECONDS));
    request.identity = identity;
    request.explainsErrors = identity.segment === '2.5' && request.routeOptions.config.inSegments === true;
    request.isDryRun = asksForDryRun(request.method, request.url);
    request.audit = options.auditPool === undefined || request.isDryRun ? undefined : buildAuditAct(request);
  });
  if (isRecording()) {
    // After the body has arrived, in whose context the hooks before would leave the handler.
    app.addHook('preHandler', (request, _reply, done) => withinSpan(request.trace, done));
  }
  if (options.auditPool !== undefined) recordActs(app, { pool: options.auditPool, log: options.log });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.savedBytes >= TOLD_BYTES_MIN) reply.header(WORK_BYTES_HEADER, request.savedBytes);
    done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1_000;
    options.metrics.requestSeconds.observe(
      { method: request.method, route, status: statusClass(reply.statusCode) },
      seconds,
    );
    if (UNAUTHENTICATED_PATHS.has(route)) return;
    // The gateway logs every request; a service logs writes and failures only.
    const level = isRead(request) && reply.statusCode < 500 ? 'debug' : 'info';
    if (!options.log.isLevelEnabled(level)) return;
    const { method, identity, trace } = request;
    const line = {
      method,
      route,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 100) / 100,
      broker: identity?.broker,
      traceId: trace?.traceId,
    };
    request.log[level](line, 'request');
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = toProblem(error);
    if (isFailure(refusal, error)) request.log.error({ err: error, traceId: request.trace?.traceId }, 'request failed');
    // It was set before another rule refused the change.
    return sendProblem(reply.removeHeader(IGNORED_MEMBERS_HEADER), refusal);
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, problem('request.not-found')));
  return app;
}

/** Reads that travel together are the body of a POST. */
function isRead({ method, url }: FastifyRequest): boolean {
  return isReadingMethod(method) || url === READS_PATH;
}

/** Seconds after which a client may try a write again that the service refuses. An operator has to act first. */
const REFUSED_WRITE_RETRY_SECONDS = 60;

const UNAUTHENTICATED_PATHS: ReadonlySet<string> = new Set(['/live', '/ready', '/metrics', '/health']);

/** The span of a request. It is not recorded for probes, which come every few seconds. */
function openRequestSpan({ id, method, headers, routeOptions: { url = 'unknown' } }: FastifyRequest): OpenSpan {
  const parent = parseTraceContext(headers);
  if (!isRecording() || UNAUTHENTICATED_PATHS.has(url)) return unrecorded(startSpan(parent));
  const attributes = { 'http.request.method': method, 'http.route': url, 'procurement.request_id': id };
  return openSpan({ kind: 'server', name: `${method} ${url}`, parent, attributes });
}

/** Less than the 10 s after which Prometheus gives a scrape up. */
const METRICS_WAIT_MS = 2_000;

function mountOperationalRoutes(app: FastifyInstance, options: ServerOptions): void {
  // Liveness checks no dependency: restarting a service because its database is unavailable would add a restart storm to the
  // outage. Readiness takes it out of the rotation instead.
  app.get('/live', async (_request, reply) => sendJson(reply, 200, '{"live":true}'));
  app.get('/ready', async (_request, reply) => {
    const readiness = await options.readiness();
    return sendJson(reply, readiness.ready ? 200 : 503, JSON.stringify(readiness));
  });
  // For monitors. A stuck flow must be seen, and must not take the service out of the rotation: its requests work.
  app.get('/health', async (_request, reply) => {
    const readiness = await options.readiness();
    const isHealthy = readiness.ready && (readiness.details ?? []).length === 0;
    return sendJson(reply, isHealthy ? 200 : 503, JSON.stringify(readiness));
  });
  const readinessMetrics = makeReadinessMetrics(options.metrics);
  app.get('/metrics', async (_request, reply) => {
    readinessMetrics.observe(await readinessWithin(METRICS_WAIT_MS, options.readiness()));
    const { registry } = options.metrics;
    return reply.header('content-type', registry.contentType).send(await registry.metrics());
  });
}

/** Whether an operator must see why a request was refused. A full queue is no failure: the client asks for too much at a time. */
export function isFailure({ status }: Problem, error: unknown): boolean {
  return status >= 500 && !(error instanceof QueueFullError);
}

const UNIQUE_VIOLATION = '23505';

/** Maps a thrown error to a refusal; an unknown error is a 500. */
export function toProblem(error: Partial<FastifyError>): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof UnavailableError) return unavailable(5);
  if (error instanceof QueueFullError) return unavailable(1);
  // A unique violation means that a concurrent copy of this request has committed; a repeat will find its result.
  if (error instanceof ConflictError || error.code === UNIQUE_VIOLATION) return problem('object.conflict');
  if (error instanceof EventTooLargeError) return problem('request.too-large');
  const status = error.statusCode ?? 500;
  if (status === 413) return problem('request.too-large');
  if (status === 408) return problem('request.timeout');
  if (status >= 400 && status < 500) return problem('request.bad');
  return isDatabaseUnavailable(error) || error instanceof IdleInTransactionError
    ? unavailable(5)
    : problem('service.failed');
}
