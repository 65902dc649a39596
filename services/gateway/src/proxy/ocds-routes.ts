import { Transform, type Readable } from 'node:stream';
import httpProxy from '@fastify/http-proxy';
import type { FastifyReplyFromHooks } from '@fastify/reply-from';
import { tenderReleaseApi } from '@procurement/contracts/api/ocds.api';
import { problem } from '@procurement/contracts/problems/problems';
import { sendProblem } from '@procurement/kit/http/server';
import { LINKS_BASE } from '@procurement/kit/runtime/config';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ProxyDeps } from './deps.ts';
import { compressionStream, negotiateCoding } from '../answer/compression.ts';
import { jsonBytesWithBase } from '../answer/public-base.ts';
import { firstHeaderValue } from '../request/request-target.ts';
import { allowedResponseHeaders } from '../answer/response-headers.ts';
import { SEGMENTS, type PublicSegment } from '../generations/segments.ts';
import { keepConnection } from './discard-body.ts';
import { sendKept } from './kept-answer.ts';
import { readOnlyPaths } from './read-only-paths.ts';
import { upstreamHeaders } from './upstream-headers.ts';
import { retryDelayMs, sendUpstreamProblem } from './upstream-problem.ts';

// Releases are outside of segments (ocds.md 4): one shape for all clients, no codec, conditional requests with unchanged tags.

const TENDER_RELEASE = `/api${tenderReleaseApi.getTenderRelease.path}`;

/** Routes `/api/ocds` to the register. */
export async function registerOcds(app: FastifyInstance, deps: ProxyDeps): Promise<void> {
  const paths = deps.contracts.filter((route) => route.outsideSegments === true).map(({ path }) => `/api${path}`);
  await app.register(async (scope) => {
    readOnlyPaths(scope, paths);
    await scope.register(httpProxy, {
      upstream: deps.upstreams.url('register'),
      routes: [...paths, TENDER_RELEASE],
      httpMethods: ['GET', 'HEAD'],
      undici: deps.upstreams.dispatcher('register'),
      proxyPayloads: false,
      disableRequestLogging: true,
      handler: (request, reply) => {
        // The path of the service, which clients reach by `opt_schema` only.
        const isOwnPath = request.routeOptions.url === TENDER_RELEASE && request.originalUrl === request.raw.url;
        return isOwnPath
          ? sendProblem(reply, problem('request.not-found'))
          : reply.from(servicePath(request), makeProxyOptions(deps, request));
      },
    });
  });
}

const TENDER = /^\/api\/([\d.]+)\/tenders\/([^/?]+)\?(.*)$/;

/** The address of a request for a tender with `opt_schema=ocds`, in any segment; undefined for every other request. */
export function tenderReleaseUrl({ method = '', url = '' }: { method?: string; url?: string }): string | undefined {
  if (!url.includes('opt_schema=') || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const [, segment = '', id = '', query = ''] = TENDER.exec(url) ?? [];
  if (!isSegment(segment)) return undefined;
  const schemas = new URLSearchParams(query).getAll('opt_schema');
  if (!schemas.some((schema) => schema.toLowerCase().includes('ocds'))) return undefined;
  return `/api/ocds/tenders/${SEGMENTS[segment]}/${id}?${query}`;
}

function isSegment(text: string): text is PublicSegment {
  return Object.hasOwn(SEGMENTS, text);
}

function servicePath({ context }: FastifyRequest): string {
  return context.path.slice('/api'.length);
}

function makeProxyOptions(deps: ProxyDeps, request: FastifyRequest): FastifyReplyFromHooks {
  const { context, method } = request;
  const path = servicePath(request);
  const identity = deps.signIdentity({
    service: 'register',
    method,
    path,
    caller: context.caller,
    write: false,
    segment: '2.5',
  });
  const condition = firstHeaderValue(request.headers['if-none-match']);
  return {
    queryString: () => context.query,
    rewriteRequestHeaders: () => ({
      ...upstreamHeaders(context, request.headers, identity),
      ...(condition === undefined ? {} : { 'if-none-match': condition }),
    }),
    rewriteHeaders: (headers) => ({
      ...allowedResponseHeaders(headers, { base: deps.responseSettings.base, segment: '2.5' }),
      ...(typeof headers.link === 'string' ? { link: linkHeader(headers.link, context.publicBase) } : {}),
    }),
    retryDelay: ({ err, attempt }) => retryDelayMs(method, attempt, err),
    onError: sendUpstreamProblem,
    onResponse: (_request, anyReply, response) => {
      // The types of the plugin allow any server; ours is HTTP/1.
      const reply = anyReply as FastifyReply;
      // The body of undici's response, which the plugin types as a message.
      const stream = response.stream as unknown as Readable;
      keepConnection(request, reply);
      if (method === 'HEAD' || reply.statusCode === 304) void reply.send(stream);
      else if (String(reply.getHeader('content-type')).startsWith('application/x-ndjson'))
        void reply.send(pipeDownload(deps, request, reply, stream));
      else sendKept(deps, request, reply, stream);
    },
  };
}

/** Links and compression of a download, while it arrives. A failure ends the connection without a last chunk. */
function pipeDownload(deps: ProxyDeps, request: FastifyRequest, reply: FastifyReply, stream: Readable): Readable {
  const { publicBase } = request.context;
  const coding = deps.config.COMPRESSION
    ? negotiateCoding(firstHeaderValue(request.headers['accept-encoding']))
    : undefined;
  const steps = [
    ...(publicBase === undefined ? [] : [linksTo(publicBase)]),
    ...(coding === undefined ? [] : [compressionStream(coding)]),
  ];
  if (coding !== undefined) void reply.removeHeader('content-length').header('content-encoding', coding);
  let source: Readable = stream;
  for (const step of steps) {
    const from = source;
    from.once('error', (error) => step.destroy(error));
    step.once('close', () => from.destroy());
    source = from.pipe(step);
  }
  return source;
}

const QUOTE = 0x22;

/** Writes the base of the request into links. A link begins at a quote, so that all before the last quote is complete. */
function linksTo(publicBase: string): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = Buffer.concat([rest, chunk]);
      // With the character before the quote, which may be a backslash.
      const end = Math.max(0, bytes.lastIndexOf(QUOTE) - 1);
      rest = bytes.subarray(end);
      done(null, jsonBytesWithBase(bytes.subarray(0, end), publicBase));
    },
    flush(done) {
      done(null, jsonBytesWithBase(rest, publicBase));
    },
  });
}

function linkHeader(link: string, publicBase: string | undefined): string {
  return publicBase === undefined ? link : link.replaceAll(`<${LINKS_BASE}/`, `<${publicBase}/`);
}
