import { problem, type Problem } from '@procurement/contracts/problems';
import { sendProblem } from '@procurement/kit/server';
import { monotonicMs } from '@procurement/kit/time';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formOf } from './answers/presentation.ts';
import { isCallbackName } from './answers/jsonp.ts';
import { callerByPassword, callerOf, type Caller } from './auth/caller.ts';
import { takeTokenParameter, withoutSecrets } from './auth/owner-token.ts';
import type { Deps } from './deps.ts';
import { clientRequestId, isPlainPath, isWrite, splitTarget, type Exchange } from './exchange.ts';
import { isFileBringing } from './proxy/document-service.ts';
import { passedContentType } from './proxy/request-headers.ts';
import { chooseGeneration } from './generations/v0.1.choice.ts';
import { urlOf } from './proxy/routes.ts';
import { entryFor } from './routes.table.ts';

/** Endpoints that answer also when everything else is turned away. */
const OPERATION: ReadonlySet<string> = new Set(['/live', '/ready', '/health', '/metrics']);
const RETRY_AFTER = { 'retry-after': '5' } as const;

/**
 * What happens to every request before it is routed: it gets its exchange and its line in the log; then, in this order,
 * closing or overload (503), a path that names nothing (404), the caller, the rate (429), the form of the answer (400).
 */
export function registerArrival(app: FastifyInstance, deps: Deps): void {
  const entries = new Map([...deps.table.values()].flat().map((entry) => [urlOf(entry), entry]));
  // Set in the hook below, before anything else can look at it.
  app.decorateRequest('exchange');
  app.addHook('onRequest', (request, reply, done) => {
    const { path, query } = splitTarget(request.raw.url ?? '/');
    const { query: rest, taken } = takeTokenParameter(query);
    const given = clientRequestId(request.headers['x-client-request-id']);
    const entry = entries.get(request.routeOptions.url ?? '');
    const contentType = request.headers['content-type'];
    request.exchange = {
      requestId: request.id,
      ...(given === undefined ? {} : { clientRequestId: given }),
      path,
      query: rest,
      tokenParameters: taken,
      write: isWrite(request.method),
      ...(contentType === undefined ? {} : { contentType }),
      ...(entry === undefined ? {} : { entry }),
      caller: { kind: 'anonymous', credentials: 'missing' },
      pretty: false,
    };
    // Fastify refuses a content type that is none before any handler runs; here the service does it, after its 404s.
    const passed = passedContentType(contentType);
    if (passed !== undefined) request.raw.headers['content-type'] = passed;
    if (isEarlyPath(path)) request.exchange.early = 'middle';
    logWhenClosed(deps, request, reply);
    const refusal = OPERATION.has(path) ? undefined : refusalAtTheDoor(deps, path);
    if (refusal !== undefined) {
      void sendProblem(reply, refusal);
      return;
    }
    const admit = (caller: Caller): void => {
      request.exchange.caller = caller;
      const late =
        refusalOfCaller(deps, request, caller) ?? takeForm(request.exchange, request) ?? takeGeneration(request);
      if (late === undefined) done();
      else void sendProblem(reply, late);
    };
    if (!path.startsWith('/api/') && !isFileBringing(path)) {
      if (!path.startsWith('/get/')) done();
      // Downloads are anybody's who has the address: counted by where they come from.
      else admit(request.exchange.caller);
      return;
    }
    const caller = isFileBringing(path)
      ? callerByPassword(request.headers.authorization, deps.keys)
      : callerOf(request.headers.authorization, deps.keys);
    if (!(caller instanceof Promise)) admit(caller);
    else caller.then(admit, (error: unknown) => keysAway(deps, request, reply, error, admit));
  });
}

function refusalAtTheDoor(deps: Deps, path: string): Problem | undefined {
  if (deps.state.closing || deps.pressure.isHigh()) return problem('service.unavailable', {}, RETRY_AFTER);
  return isPlainPath(path) ? undefined : problem('request.not-found');
}

function refusalOfCaller(deps: Deps, request: FastifyRequest, caller: Caller): Problem | undefined {
  const wait = deps.rates.take(caller, request.ip, request.exchange.write);
  return wait === 0 ? undefined : problem('request.too-many', {}, { 'retry-after': String(wait) });
}

/** JSONP is for reads without credentials only: a script tag cannot keep a key. */
function takeForm(exchange: Exchange, request: FastifyRequest): Problem | undefined {
  const form = formOf(exchange.query);
  exchange.pretty = form.pretty;
  if (form.callback === '' || request.method !== 'GET' || request.headers.authorization !== undefined) return undefined;
  if (!isCallbackName(form.callback)) return problem('request.bad');
  exchange.callback = form.callback;
  return undefined;
}

function isEarlyPath(path: string): boolean {
  return path.startsWith('/api/0.1/') || path.startsWith('/api/0.2/');
}

/** The generation of a request on segment 0.1, and what that generation has at its path (generations.md 2, 6). */
function takeGeneration({ exchange, headers }: FastifyRequest): Problem | undefined {
  if (exchange.early === undefined) return undefined;
  const choice = chooseGeneration({
    query: exchange.query,
    accept: headers.accept,
    resource: 'other',
  });
  if ('refused' in choice) return choice.refused;
  exchange.early = choice.early;
  if (exchange.entry === undefined) return undefined;
  const entry = entryFor(exchange.entry, choice.early);
  if (entry === undefined) return problem('request.not-found');
  exchange.entry = entry;
  return undefined;
}

/** A key nobody here has seen, and no database to ask: reading goes on without it, writing has to wait. */
function keysAway(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  admit: (caller: Caller) => void,
): void {
  deps.log.warn({ err: error, requestId: request.id }, 'broker keys not readable');
  if (request.exchange.write) void sendProblem(reply, problem('service.unavailable', {}, RETRY_AFTER));
  else admit({ kind: 'anonymous', credentials: 'unknown' });
}

/**
 * One line a request, when its answer is out or its client gone: `onResponse` would not see those who left. No key, token
 * or signature is in it.
 */
function logWhenClosed(deps: Deps, request: FastifyRequest, reply: FastifyReply): void {
  const began = monotonicMs();
  reply.raw.once('close', () => {
    const { exchange } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.raw.statusCode;
    const durationMs = Math.round((monotonicMs() - began) * 100) / 100;
    deps.metrics.requests.observe(
      { method: request.method, route, status: `${Math.floor(status / 100)}xx` },
      durationMs / 1_000,
    );
    if (OPERATION.has(exchange.path)) return;
    const query = withoutSecrets(exchange.query);
    deps.log.info(
      {
        requestId: exchange.requestId,
        clientRequestId: exchange.clientRequestId,
        method: request.method,
        path: query === '' ? exchange.path : `${exchange.path}?${query}`,
        status,
        durationMs,
        ...(exchange.caller.kind === 'broker'
          ? { broker: exchange.caller.broker.name, role: exchange.caller.broker.group }
          : {}),
        ...(reply.raw.writableFinished ? {} : { aborted: true }),
      },
      'request',
    );
  });
}
