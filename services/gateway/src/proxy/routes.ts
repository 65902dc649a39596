import type { Owner, RouteContract } from '@procurement/contracts/api/route';
import { problem, type Problem } from '@procurement/contracts/problems';
import { sendProblem } from '@procurement/kit/server';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPreflight } from '../answers/preflight.ts';
import { wantsAnotherForm } from '../answers/presentation.ts';
import { ownerToken } from '../auth/owner-token.ts';
import type { Deps } from '../deps.ts';
import { headerText, type Exchange } from '../exchange.ts';
import { contractOf, SEGMENTS, type PathEntry } from '../routes.table.ts';
import { beginRepeatable } from '../idempotency/repeats.ts';
import { servicePath } from '../generations/paths.ts';
import { hotRead } from './hot-read.ts';
import { proxyOptions } from './proxied.ts';
import { hasJsonBody, takeJsonBody } from './request-body.ts';
import { requestHeaders } from './request-headers.ts';
import { storedWrite } from './stored-write.ts';
import { encodingRefusal, takeUploadPlace } from './upload-place.ts';

/** Every method but OPTIONS, which is answered here: a method without a contract is refused by the service, after its 404s. */
const FORWARDED = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Address of a path as the router knows it. */
export function urlOf(entry: PathEntry): string {
  return `/api/${entry.segment}${entry.path}`;
}

/** Routes every path of the table to the service that owns it: one proxy registration per service. */
export async function registerProxy(app: FastifyInstance, deps: Deps): Promise<void> {
  const entries = [...deps.table.values()].flat();
  for (const entry of entries) {
    app.options(urlOf(entry), async (_request, reply) => sendPreflight(reply, entry.allow));
  }
  for (const owner of new Set(entries.map((entry) => entry.owner))) {
    await app.register(httpProxy, {
      upstream: deps.upstreams.url(owner),
      routes: entries.filter((entry) => entry.owner === owner).map(urlOf),
      httpMethods: FORWARDED,
      undici: deps.upstreams.pool(owner),
      // Bodies arrive as streams (app.ts); which of them are read is decided in the pre-handler.
      proxyPayloads: false,
      disableRequestLogging: true,
      preHandler: (request, reply, done) => prepare(deps, owner, request, reply, done),
      handler: (request, reply) => forward(deps, request, reply),
    });
  }
}

/** Reads what must be read before a request goes on, refuses what cannot go on, and serves hot reads by the short path. */
function prepare(deps: Deps, owner: Owner, request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { entry, write } = request.exchange;
  if (entry === undefined) throw new Error(`${request.url} is routed and not in the table`);
  const route = contractOf(entry, request.method);
  if (isHot(deps, request, route)) {
    const codec = deps.codecs(entry.segment);
    const passes = codec.passThrough(route);
    hotRead(request, reply, {
      pool: deps.upstreams.pool(owner),
      target: targetOf(request.exchange, entry, codec.query(route, request.exchange.query, request.exchange.early)),
      headers: requestHeaders(request.exchange, request.headers, identityOf(deps, request, entry)),
      settings: deps.answers,
      addresses: { base: deps.answers.base, segment: entry.segment },
      compression: deps.config.COMPRESSION,
      form: request.exchange.early ?? '',
      map: passes
        ? undefined
        : (status, text) => {
            const { query, early } = request.exchange;
            return codec.response({ route, status, query, early }, text);
          },
    });
    return;
  }
  if (!write || request.method === 'DELETE') {
    done();
    return;
  }
  const encoded = encodingRefusal(request);
  if (encoded !== undefined) {
    void sendProblem(reply, encoded);
    return;
  }
  if (hasJsonBody(request)) {
    const failed = (error: unknown): Problem => {
      request.log.error({ err: error, requestId: request.id }, 'body not taken');
      return problem('service.failed');
    };
    void takeJsonBody(request, route, deps.codecs(entry.segment))
      .catch(failed)
      .then((refusal) => {
        if (refusal === undefined) beginRepeatable(deps, request, reply, done);
        else void sendProblem(reply, refusal);
      });
    return;
  }
  const full = takeUploadPlace(deps, request, reply);
  if (full === undefined) beginRepeatable(deps, request, reply, done);
  else void sendProblem(reply, full);
}

/** The two reads that nearly all traffic is: a tender and a page of the feed. */
const HOT_PATHS: ReadonlySet<string> = new Set(['/tenders', '/tenders/:tender_id']);

function isHot(deps: Deps, request: FastifyRequest, route: RouteContract | undefined): route is RouteContract {
  return (
    route !== undefined &&
    request.method === 'GET' &&
    HOT_PATHS.has(route.path) &&
    deps.config.HOT_READS === 'dispatch' &&
    !wantsAnotherForm(request.exchange)
  );
}

function forward(deps: Deps, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
  const { entry } = request.exchange;
  if (entry === undefined) throw new Error(`${request.url} is routed and not in the table`);
  const route = contractOf(entry, request.method);
  if (request.exchange.wish !== undefined && route !== undefined) return onStored(deps, request, reply, entry, route);
  const options = proxyOptions(deps, request, entry, identityOf(deps, request, entry));
  return reply.from(canonicalPath(request.exchange, entry), options);
}

async function onStored(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  entry: PathEntry,
  route: RouteContract,
): Promise<FastifyReply> {
  const identity = identityOf(deps, request, entry);
  return storedWrite(request, reply, {
    pool: deps.upstreams.pool(entry.owner),
    route,
    codec: deps.codecs(entry.segment),
    path: canonicalPath(request.exchange, entry),
    segment: entry.segment,
    settings: deps.answers,
    identity,
  });
}

function identityOf(deps: Deps, request: FastifyRequest, entry: PathEntry): string {
  const { exchange } = request;
  return deps.sign({
    service: entry.owner,
    caller: exchange.caller,
    write: exchange.write,
    segment: SEGMENTS[entry.segment],
    token: ownerToken(exchange.tokenParameters, headerText(request.headers['x-access-token']), exchange.bodyToken),
    allow: contractOf(entry, request.method) === undefined ? entry.allow : undefined,
    seed: exchange.keeping?.seed,
  });
}

/** The path as services know it: parameters are forwarded as they are. */
function canonicalPath(exchange: Exchange, entry: PathEntry): string {
  const path = exchange.path.slice(`/api/${entry.segment}`.length);
  return SEGMENTS[entry.segment] === '0.1' ? servicePath(path) : path;
}

function targetOf(exchange: Exchange, entry: PathEntry, query: string): string {
  const path = canonicalPath(exchange, entry);
  return query === '' ? path : `${path}?${query}`;
}
