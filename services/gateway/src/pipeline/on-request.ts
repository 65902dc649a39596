import { problem, type Problem, unavailable } from '@procurement/contracts/problems/problems';
import { statusClass } from '@procurement/kit/http/app-server';
import { sendProblem } from '@procurement/kit/http/server';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import { withoutRedaction, type Logger } from '@procurement/kit/runtime/log';
import { isRecording, openSpan, unrecorded, type OpenSpan } from '@procurement/kit/runtime/spans';
import { parseTraceContext, startSpan } from '@procurement/kit/runtime/trace-context';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseFormatOptions } from '../answer/response-format.ts';
import { isCallbackName } from '../answer/jsonp.ts';
import { requestBase } from '@procurement/kit/http/host-of';
import { callerByNameAndKey, identifyCaller, type Caller, type CallerLookup } from '../auth/caller.ts';
import { extractTokenParameter, redactQuery } from '../auth/owner-token.ts';
import type { HookDeps } from './deps.ts';
import { clientNetwork } from '../limits/client-network.ts';
import { boundDraining, cutWhenStalled } from '../limits/connections.ts';
import { rateProblem } from '../limits/rate-limit.ts';
import type { RequestContext } from '../request/request-context.ts';
import {
  explainsErrors,
  hasOneHost,
  isNormalizedPath,
  isWrite,
  parseClientRequestId,
  splitTarget,
} from '../request/request-target.ts';
import { hasJsonBody, isUploadPath, upstreamContentType } from '../request/body-kind.ts';
import { negotiateGeneration } from '../generations/v0.1/negotiate.ts';
import { findContract, entryOfGeneration, patternOf } from '../request/routes.table.ts';

/** Responds also under overload and while closing. It is never refused; above the rate of reads it is answered later. */
const HEALTH_PATH = '/health';

/** What the router's table of a request does not say. */
interface AnsweredPaths {
  /** How a method is refused that the router does not know. */
  readonly refusalOfMethod: (method: string, path: string) => Problem | undefined;
  /** Paths of pages that are answered with a slash at their end. */
  readonly pagesWithSlash: ReadonlySet<string>;
}

/**
 * Registers the hook that runs for every request: sets the request context and the line of the access log, then checks, in this
 * order, one `Host` (400), closing or overload (503), the host (400), the rate limit (429), the form of the path (404), a method that the
 * router does not know (405), the caller and the format options (400).
 */
export function registerOnRequest(
  app: FastifyInstance,
  deps: HookDeps,
  { refusalOfMethod, pagesWithSlash }: AnsweredPaths,
): void {
  const accessLog = withoutRedaction(deps.log);
  const entries = new Map([...deps.table.values()].flat().map((entry) => [patternOf(entry), entry]));
  // Set in the hook below, before any other hook reads it.
  app.decorateRequest('context');
  app.decorateRequest('explainsErrors', false);
  app.addHook('onRequest', (request, reply, done) => {
    const { path, query } = splitTarget(request.raw.url ?? '/');
    request.explainsErrors = explainsErrors(request.originalUrl);
    const { query: rest, taken } = extractTokenParameter(query);
    const clientId = parseClientRequestId(request.headers['x-client-request-id']);
    const entry = entries.get(request.routeOptions.url ?? '');
    const contentType = request.headers['content-type'];
    const publicBase = deps.responseSettings.followsRequest ? requestBase(request) : undefined;
    const span = startRequestSpan(request, path);
    request.context = {
      requestId: request.id,
      ...(clientId === undefined ? {} : { clientRequestId: clientId }),
      trace: span.context,
      timeoutMs: deps.config.UPSTREAM_TIMEOUT_MS,
      address: clientNetwork(request.ip),
      ...(publicBase === undefined ? {} : { publicBase }),
      path,
      query: rest,
      queryTokens: taken,
      write: isWrite(request.method),
      ...(contentType === undefined ? {} : { contentType }),
      ...(entry === undefined ? {} : { entry }),
      caller: { kind: 'anonymous', credentials: 'missing' },
      pretty: false,
    };
    // Fastify would refuse a malformed content type before any handler runs; the service refuses it after its 404s.
    const upstreamType = upstreamContentType(contentType);
    if (upstreamType !== undefined) request.raw.headers['content-type'] = upstreamType;
    if (isSegment01Path(path)) request.context.generation01 = 'middle';
    logRequestOnClose(deps, accessLog, request, reply);
    if (isRecording()) reply.raw.on('close', () => endSpan(span, request, reply));
    if (path === HEALTH_PATH) {
      if (deps.rateLimit.consume(ANONYMOUS, `health ${request.context.address}`, false).retryAfterSeconds === 0) done();
      else deps.delayRefusal(reply.raw, done);
      return;
    }
    cutWhenStalled(request.raw, reply.raw, () => request.context.bodyDiscarded !== true);
    const admissionFailure = hasOneHost(request.raw) ? admissionProblem(deps, request.context) : problem('request.bad');
    if (admissionFailure !== undefined) {
      const refuse = (): void => void sendProblem(reply, admissionFailure);
      if (admissionFailure === TOO_MANY_REQUESTS) deps.delayRefusal(reply.raw, refuse);
      else refuse();
      return;
    }
    // The route that the router matched; the path only where there is none.
    const place = request.routeOptions.url ?? path;
    const proceed = (caller: Caller): void => {
      request.context.caller = caller;
      const failure = isPage(place)
        ? undefined
        : (applyFormatOptions(request.context, request) ?? applyGeneration(request));
      if (failure === undefined) done();
      else void sendProblem(reply, failure);
    };
    const caller = callerAt(place, deps, request);
    // A key that is not in memory counts for its address before the database is asked: anybody can make up keys.
    const limitFailure = rateLimitProblem(deps, request, typeof caller === 'function' ? ANONYMOUS : caller);
    const unknownMethod = refusalOfMethod(request.method, path);
    if (limitFailure !== undefined) deps.delayRefusal(reply.raw, () => void sendProblem(reply, limitFailure));
    else if (!isNormalizedPath(path) && !pagesWithSlash.has(path))
      void sendProblem(reply, problem('request.not-found'));
    else if (unknownMethod !== undefined) void sendProblem(reply, unknownMethod);
    else if (typeof caller !== 'function') proceed(caller);
    else caller().then(proceed, (error: unknown) => onKeyLookupFailed(deps, request, reply, error, proceed));
  });
}

/** The span of a request. It is not recorded for `/health`, which monitors ask every few seconds. */
function startRequestSpan({ id, method, headers, routeOptions }: FastifyRequest, path: string): OpenSpan {
  const parent = parseTraceContext(headers);
  if (!isRecording() || path === HEALTH_PATH) return unrecorded(startSpan(parent));
  const route = routeOptions.url ?? 'unknown';
  const attributes = { 'http.request.method': method, 'http.route': route, 'procurement.request_id': id };
  return openSpan({ kind: 'server', name: `${method} ${route}`, parent, isFromClient: true, attributes });
}

function endSpan(span: OpenSpan, { context: { caller } }: FastifyRequest, { raw: { statusCode } }: FastifyReply): void {
  const broker = caller.kind === 'broker' ? { 'procurement.broker': caller.broker.name } : {};
  span.end({ attributes: { 'http.response.status_code': statusCode, ...broker }, failed: statusCode >= 500 });
}

const TOO_MANY_REQUESTS = problem('request.too-many', {}, { 'retry-after': '1' });

const ANONYMOUS: Caller = { kind: 'anonymous', credentials: 'missing' };

function callerAt(place: string, { keys }: HookDeps, { headers }: FastifyRequest): Caller | CallerLookup {
  if (isUploadPath(place)) return callerByNameAndKey(headers.authorization, keys);
  // A download needs no key, and neither do the pages of the gateway.
  return place.startsWith('/api/') ? identifyCaller(headers.authorization, keys) : ANONYMOUS;
}

/** True for the reference and its assets, which have no format options: wrapped as JSONP an asset would be another script. */
function isPage(place: string): boolean {
  return !place.startsWith('/api/') && !place.startsWith('/get/') && !isUploadPath(place);
}

function admissionProblem(deps: HookDeps, context: RequestContext): Problem | undefined {
  if (deps.state.closing || deps.pressure.isHigh()) return unavailable(5);
  if (!deps.concurrency.requests.enter(context.address)) return TOO_MANY_REQUESTS;
  context.isCounted = true;
  return deps.responseSettings.followsRequest && context.publicBase === undefined ? problem('request.bad') : undefined;
}

function rateLimitProblem(deps: HookDeps, request: FastifyRequest, caller: Caller): Problem | undefined {
  const { address, write, query, entry } = request.context;
  const name = entry === undefined ? undefined : findContract(entry, request.method)?.rateClass;
  const classRead = name === undefined ? undefined : { name, query };
  const body = hasJsonBody(request) ? { bytes: announcedBytes(request) } : undefined;
  const verdict = deps.rateLimit.consume(caller, address, write, classRead, body);
  if (verdict.headers !== undefined) request.context.rateLimitHeaders = verdict.headers;
  return rateProblem(verdict);
}

/** Undefined with `Transfer-Encoding: chunked`. A request with neither has no body. */
function announcedBytes({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}

/** JSONP is for reads without credentials only: a script tag cannot send a key. */
function applyFormatOptions(context: RequestContext, request: FastifyRequest): Problem | undefined {
  const format = parseFormatOptions(context.query);
  context.pretty = format.pretty;
  if (format.callback === '' || request.method !== 'GET' || request.headers.authorization !== undefined)
    return undefined;
  if (!isCallbackName(format.callback)) return problem('request.bad');
  context.jsonpCallback = format.callback;
  return undefined;
}

function isSegment01Path(path: string): boolean {
  return path.startsWith('/api/0.1/') || path.startsWith('/api/0.2/');
}

/** Sets the generation of a request on segment 0.1 and the entry of its path in that generation (generations.md 2, 6). */
function applyGeneration({ context, headers }: FastifyRequest): Problem | undefined {
  if (context.generation01 === undefined) return undefined;
  const negotiated = negotiateGeneration({
    query: context.query,
    accept: headers.accept,
    resource: 'other',
  });
  if ('refused' in negotiated) return negotiated.refused;
  context.generation01 = negotiated.generation01;
  if (context.entry !== undefined) context.entry = entryOfGeneration(context.entry, negotiated.generation01);
  return undefined;
}

/** The key is not in memory and the database is down: a read continues as anonymous, a write is answered with 503. */
function onKeyLookupFailed(
  deps: HookDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  proceed: (caller: Caller) => void,
): void {
  deps.log.warn({ err: error, requestId: request.id }, 'broker key not looked up');
  if (request.context.write) void sendProblem(reply, unavailable(5));
  else proceed({ kind: 'anonymous', credentials: 'unknown' });
}

/**
 * Writes one line per request when its response is sent or its client has disconnected, which `onResponse` would miss. The line
 * contains no key, token or signature.
 */
function logRequestOnClose(deps: HookDeps, accessLog: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const startedAtMs = monotonicMs();
  reply.raw.on('close', () => {
    const { context } = request;
    if (context.isCounted === true) deps.concurrency.requests.leave(context.address);
    boundDraining(request.raw);
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.raw.statusCode;
    const durationMs = Math.round((monotonicMs() - startedAtMs) * 100) / 100;
    deps.metrics.requestSeconds.observe(
      { method: request.method, route, status: statusClass(status) },
      durationMs / 1_000,
    );
    if (context.path === HEALTH_PATH) return;
    const query = redactQuery(context.query);
    accessLog.info(
      {
        requestId: context.requestId,
        clientRequestId: context.clientRequestId,
        traceId: context.trace.traceId,
        method: request.method,
        path: query === '' ? context.path : `${context.path}?${query}`,
        status,
        durationMs,
        ...(context.caller.kind === 'broker'
          ? { broker: context.caller.broker.name, role: context.caller.broker.group }
          : {}),
        ...(reply.raw.writableFinished ? {} : { aborted: true }),
      },
      'request',
    );
  });
}
