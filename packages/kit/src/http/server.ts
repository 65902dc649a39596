import { problem, problemBody, type Problem } from '@procurement/contracts/problems/problems';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify';
import { ConflictError, isDatabaseUnavailable } from '../database/transaction.ts';
import { IDENTITY_HEADER, type Identity, type IdentityVerifier } from './identity.ts';
import { secureIds } from '../runtime/ids.ts';
import type { Logger } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { ProblemError } from './problem-error.ts';
import { unixSeconds } from '../runtime/clock.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom the gateway says this is. Set before any handler runs. */
    identity: Identity;
  }
}

/** How everything JSON is labelled (http.md 0.1.3). */
export const JSON_TYPE = 'application/json; charset=UTF-8';

/** What `/ready` tells of one process: whether it may take traffic, and how far behind it is. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ok' | 'fail'>>;
  /** Events waiting per durable consumer; null when the bus cannot be asked. */
  readonly lag?: Readonly<Record<string, number | null>>;
  /** Events stored but not yet published. */
  readonly outbox?: { readonly waiting: number; readonly oldestSeconds: number };
  /** Events put aside. */
  readonly deadLetters?: number;
}

export interface ServerOptions {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Checks who the gateway says is calling. */
  readonly verifyIdentity: IdentityVerifier;
  /** Largest request body in bytes. */
  readonly bodyBytesMax: number;
  /** Asked by `/ready`. Must answer within a second and not throw. */
  readiness(): Promise<Readiness>;
}

/** Answers a refusal in the API's error shape. */
export function sendProblem(reply: FastifyReply, refusal: Problem): FastifyReply {
  if (refusal.headers !== undefined) reply.headers(refusal.headers);
  return reply
    .code(refusal.status)
    .header('content-type', JSON_TYPE)
    .send(JSON.stringify(problemBody(refusal)));
}

/** Answers JSON that is already text. */
export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', JSON_TYPE).send(text);
}

/**
 * An HTTP server behind the gateway: refuses whatever does not carry the gateway's signed identity, hands bodies over as
 * raw bytes (which refusal comes first is decided later, http.md 0.2), and answers every error in the API's shape.
 */
export function buildServer(options: ServerOptions): FastifyInstance {
  const app = Fastify({
    // Fastify asks for its own logger interface, which pino's Logger fulfils.
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyBytesMax,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: (raw) => {
      const given = raw.headers['x-request-id'];
      return typeof given === 'string' ? given : `req-${secureIds.nextUuid()}`;
    },
    // Whatever stands in a path is an id that may not exist (http.md 0.1.4): never refused for its length.
    routerOptions: { maxParamLength: 100_000 },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.decorateRequest('identity');
  mountOperationalRoutes(app, options);
  app.addHook('onRequest', async (request) => {
    if (UNAUTHENTICATED_PATHS.has(request.routeOptions.url ?? '')) return;
    const header = request.headers[IDENTITY_HEADER];
    const identity = options.verifyIdentity(typeof header === 'string' ? header : undefined, unixSeconds());
    if (identity === undefined) throw new ProblemError(problem('request.forbidden'));
    request.identity = identity;
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1_000;
    options.metrics.requestSeconds.observe(
      { method: request.method, route, status: statusClass(reply.statusCode) },
      seconds,
    );
    if (UNAUTHENTICATED_PATHS.has(route)) return;
    // The gateway's log tells every request; here only what changed or failed is worth a line of its own.
    const level = request.method === 'GET' && reply.statusCode < 500 ? 'debug' : 'info';
    if (!options.log.isLevelEnabled(level)) return;
    const line = { method: request.method, route, status: reply.statusCode, seconds, broker: request.identity?.broker };
    request.log[level](line, 'request');
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = problemOf(error);
    if (refusal.status >= 500) request.log.error({ err: error, requestId: request.id }, 'request failed');
    return sendProblem(reply, refusal);
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, problem('request.not-found')));
  return app;
}

const UNAUTHENTICATED_PATHS: ReadonlySet<string> = new Set(['/live', '/ready', '/metrics', '/health']);

function mountOperationalRoutes(app: FastifyInstance, options: ServerOptions): void {
  // Liveness asks nobody: a service whose database is away must not be restarted for it, since that would only add a
  // restart storm to the outage. Readiness takes it out of the rotation instead.
  app.get('/live', async (_request, reply) => sendJson(reply, 200, '{"live":true}'));
  const sendReadiness = async (reply: FastifyReply): Promise<FastifyReply> => {
    const readiness = await options.readiness();
    return sendJson(reply, readiness.ready ? 200 : 503, JSON.stringify(readiness));
  };
  app.get('/ready', async (_request, reply) => sendReadiness(reply));
  app.get('/health', async (_request, reply) => sendReadiness(reply));
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', options.metrics.registry.contentType).send(await options.metrics.registry.metrics()),
  );
}

function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

const UNIQUE_VIOLATION = '23505';

/** Which refusal stands for a thrown error. Whatever is not a known refusal is ours: 500. */
export function problemOf(error: Partial<FastifyError>): Problem {
  if (error instanceof ProblemError) return error.problem;
  // A row that is there already: a twin of this request was faster, and a repeat will find what it made.
  if (error instanceof ConflictError || error.code === UNIQUE_VIOLATION) return problem('object.conflict');
  const status = error.statusCode ?? 500;
  if (status === 413) return problem('request.too-large');
  if (status === 408) return problem('request.timeout');
  if (status >= 400 && status < 500) return problem('request.bad');
  return isDatabaseUnavailable(error)
    ? problem('service.unavailable', {}, { 'retry-after': '5' })
    : problem('service.failed');
}
