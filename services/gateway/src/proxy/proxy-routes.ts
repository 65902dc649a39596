import type { OwnerService, RouteContract } from '@procurement/contracts/api/route';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { askForBody } from '@procurement/kit/http/expect-continue';
import { sendProblem } from '@procurement/kit/http/server';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPreflight } from '../answer/preflight.ts';
import { selectOwnerToken } from '../auth/owner-token.ts';
import type { ProxyDeps } from './deps.ts';
import type { RequestContext } from '../request/request-context.ts';
import { firstHeaderValue } from '../request/request-target.ts';
import { SEGMENTS } from '../generations/segments.ts';
import { findContract, patternOf, type PathEntry } from '../request/routes.table.ts';
import { claimOrReplay } from '../idempotency/replay.ts';
import { toServicePath } from '../generations/v0.1/paths.ts';
import { isCostlyRead, takeTurn } from './costly-read.ts';
import { discardBody, isRefusedWithoutBody } from './discard-body.ts';
import { hotRead } from './hot-read.ts';
import { proxyOptions } from './proxy-options.ts';
import { hasJsonBody } from '../request/body-kind.ts';
import { decodeJsonBody, jsonLengthProblem } from './request-body.ts';
import { readModifyWrite } from './read-modify-write.ts';
import { enterStream } from './stream-slot.ts';
import { acquireFileSlot, contentEncodingProblem, acquireUploadSlot } from './upload-slot.ts';

/** All methods but OPTIONS, which the gateway answers. The service refuses a method without a contract, after its 404s. */
const FORWARDED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Routes every path of the table to the service that owns it: one proxy registration per service. */
export async function registerProxy(app: FastifyInstance, deps: ProxyDeps): Promise<void> {
  const entries = [...deps.table.values()].flat();
  for (const entry of entries) {
    app.options(patternOf(entry), async (_request, reply) => sendPreflight(reply, entry.allow));
  }
  for (const owner of new Set(entries.map((entry) => entry.owner))) {
    await app.register(httpProxy, {
      upstream: deps.upstreams.url(owner),
      routes: entries.filter((entry) => entry.owner === owner).map(patternOf),
      httpMethods: FORWARDED_METHODS,
      undici: deps.upstreams.dispatcher(owner),
      // Bodies arrive as streams (app.ts); the pre-handler reads those that must be read.
      proxyPayloads: false,
      disableRequestLogging: true,
      preHandler: (request, reply, done) => preHandle(deps, owner, request, reply, done),
      handler: (request, reply) => forward(deps, request, reply),
    });
  }
}

/** Serves hot reads directly; reads JSON bodies and refuses what cannot be forwarded. */
function preHandle(
  deps: ProxyDeps,
  owner: OwnerService,
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  const { entry, write } = request.context;
  if (entry === undefined) throw new Error(`${request.url} is routed but not in the table`);
  const route = findContract(entry, request.method);
  if (route?.stream === true && !enterStream(deps, request, reply)) {
    void sendProblem(reply, problem('request.too-many', {}, { 'retry-after': '10' }));
    return;
  }
  const fileProblem = route?.file === undefined ? undefined : acquireFileSlot(deps, request, reply);
  if (fileProblem !== undefined) {
    void sendProblem(reply, fileProblem);
    return;
  }
  if (route !== undefined && request.method === 'GET') {
    const begin = isHotRead(deps, route) ? () => beginHotRead(deps, request, reply, { entry, route }) : done;
    if (isCostlyRead(deps, request.context, route)) takeTurn(deps, request, reply, route.rateClass, begin);
    else begin();
    return;
  }
  if (!write || request.method === 'DELETE') {
    done();
    return;
  }
  const transportProblem = contentEncodingProblem(request) ?? jsonLengthProblem(request);
  if (transportProblem !== undefined) {
    void sendProblem(reply, transportProblem);
    return;
  }
  if (isRefusedWithoutBody(request, route)) {
    discardBody(request);
    done();
    return;
  }
  if (hasJsonBody(request)) {
    const toProblem = (error: unknown): Problem => {
      request.log.error({ err: error, requestId: request.id }, 'body not read');
      return problem('service.failed');
    };
    const lease = deps.bodyBytes.lease(request.context.address);
    reply.raw.once('close', lease.release);
    askForBody(request.raw);
    void decodeJsonBody(request, route, { codec: deps.codecs(entry.segment), lease })
      .catch(toProblem)
      .then((bodyProblem) => {
        if (bodyProblem === undefined) claimOrReplay(deps, request, reply, done);
        else void sendProblem(reply, bodyProblem);
      });
    return;
  }
  const uploadProblem = acquireUploadSlot(deps, request, reply);
  if (uploadProblem === undefined) claimOrReplay(deps, request, reply, done);
  else void sendProblem(reply, uploadProblem);
}

/** Nearly all traffic: reads of a tender and of a page of the feed. */
const HOT_PATHS: ReadonlySet<string> = new Set(['/tenders', '/tenders/:tender_id']);

function isHotRead({ config }: ProxyDeps, { path }: RouteContract): boolean {
  return HOT_PATHS.has(path) && config.HOT_READS === 'dispatch';
}

function beginHotRead(
  deps: ProxyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { entry, route }: { readonly entry: PathEntry; readonly route: RouteContract },
): void {
  const { context } = request;
  const query = deps.codecs(entry.segment).decodeQuery(route, context.query, context.generation01);
  const target = upstreamTarget(context, entry, query);
  hotRead(deps, request, reply, { entry, route, target, identity: signIdentity(deps, request, entry) });
}

function forward(deps: ProxyDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
  const { entry } = request.context;
  if (entry === undefined) throw new Error(`${request.url} is routed but not in the table`);
  const route = findContract(entry, request.method);
  if (request.context.deferredData !== undefined && route !== undefined)
    return forwardReadModifyWrite(deps, request, reply, entry, route);
  const options = proxyOptions(deps, request, entry, signIdentity(deps, request, entry));
  return reply.from(canonicalPath(request.context, entry), options);
}

async function forwardReadModifyWrite(
  deps: ProxyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  entry: PathEntry,
  route: RouteContract,
): Promise<FastifyReply> {
  return readModifyWrite(request, reply, {
    pool: deps.upstreams.pool(entry.owner),
    route,
    codec: deps.codecs(entry.segment),
    path: canonicalPath(request.context, entry),
    segment: entry.segment,
    settings: deps.responseSettings,
    rateLimit: deps.rateLimit,
    identity: signIdentity(deps, request, entry),
    readIdentity: signIdentity(deps, request, entry, 'GET'),
  });
}

function signIdentity(deps: ProxyDeps, request: FastifyRequest, entry: PathEntry, method = request.method): string {
  const { context } = request;
  return deps.signIdentity({
    service: entry.owner,
    method,
    path: canonicalPath(context, entry),
    caller: context.caller,
    write: context.write,
    segment: SEGMENTS[entry.segment],
    token: selectOwnerToken(
      context.queryTokens,
      firstHeaderValue(request.headers['x-access-token']),
      context.bodyToken,
    ),
    allow: findContract(entry, request.method) === undefined ? entry.allow : undefined,
    seed: context.idempotencyClaim?.seed,
  });
}

/** The path of the service; parameters stay as the client wrote them. */
function canonicalPath(context: RequestContext, entry: PathEntry): string {
  const path = context.path.slice(`/api/${entry.segment}`.length);
  return SEGMENTS[entry.segment] === '0.1' ? toServicePath(path) : path;
}

function upstreamTarget(context: RequestContext, entry: PathEntry, query: string): string {
  const path = canonicalPath(context, entry);
  return query === '' ? path : `${path}?${query}`;
}
