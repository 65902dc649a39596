import httpProxy from '@fastify/http-proxy';
import type { FastifyReplyFromHooks } from '@fastify/reply-from';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '@procurement/kit/server';
import { passedHeaders } from '../answers/answer-headers.ts';
import type { Deps } from '../deps.ts';
import { passedContentType, requestHeaders } from './request-headers.ts';
import { encodingRefusal, takeUploadPlace } from './upload-place.ts';
import { mayRetry, upstreamProblem } from './upstream-problem.ts';

/** Where files are brought and fetched (http.md 2.8); served under the gateway's own address (rulings R15). */
const ROUTES = [
  { method: 'POST', urls: ['/register', '/upload', '/upload/:doc_id'] },
  { method: 'GET', urls: ['/get/:doc_id'] },
] as const;

const RETRY_MS = 50;

/** True for the endpoints of the document service that know their callers by key. Downloads go by signature alone. */
export function isFileBringing(path: string): boolean {
  return path === '/register' || path === '/upload' || path.startsWith('/upload/');
}

/** Forwards the public endpoints of the document service. Bodies and bytes are streamed in both directions. */
export async function registerDocumentService(app: FastifyInstance, deps: Deps): Promise<void> {
  for (const { method, urls } of ROUTES) {
    await app.register(httpProxy, {
      upstream: deps.upstreams.url('documents'),
      routes: [...urls],
      httpMethods: method === 'GET' ? ['GET', 'HEAD'] : [method],
      undici: deps.upstreams.pool('documents'),
      proxyPayloads: false,
      disableRequestLogging: true,
      preHandler: (request, reply, done) => admit(deps, request, reply, done),
      handler: (request, reply) => reply.from(request.exchange.path, optionsOf(deps, request)),
    });
  }
}

/** An upload takes one of the places that its sender has for uploads at once. */
function admit(deps: Deps, request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (!request.exchange.write) {
    done();
    return;
  }
  const refusal = encodingRefusal(request) ?? takeUploadPlace(deps, request, reply);
  if (refusal === undefined) done();
  else void sendProblem(reply, refusal);
}

function optionsOf(deps: Deps, request: FastifyRequest): FastifyReplyFromHooks {
  const { exchange } = request;
  const identity = deps.sign({ service: 'documents', caller: exchange.caller, write: exchange.write, segment: '2.5' });
  const type = exchange.write ? passedContentType(exchange.contentType) : undefined;
  return {
    queryString: () => exchange.query,
    ...(exchange.write ? { timeout: deps.config.UPLOAD_TIMEOUT_MS } : {}),
    rewriteRequestHeaders: (_request, { 'content-length': length }) => ({
      ...requestHeaders(exchange, request.headers, identity),
      ...(exchange.write && length !== undefined ? { 'content-length': length } : {}),
      ...(type === undefined ? {} : { 'content-type': type }),
    }),
    // Addresses of files are signed and absolute: they are passed on as they are.
    rewriteHeaders: (headers) => ({
      ...passedHeaders(headers, { base: deps.answers.base, segment: '2.5' }),
      ...(typeof headers.location === 'string' ? { location: headers.location } : {}),
    }),
    retryDelay: ({ err, attempt }) => (mayRetry(request.method, attempt, err) ? RETRY_MS : null),
    onError: (reply, { error }) => {
      // The plugin's types speak of any server; ours is HTTP/1.
      void sendProblem(reply as FastifyReply, upstreamProblem(error));
    },
  };
}
