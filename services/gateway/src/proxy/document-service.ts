import type { Readable } from 'node:stream';
import httpProxy from '@fastify/http-proxy';
import type { FastifyReplyFromHooks } from '@fastify/reply-from';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '@procurement/contracts/problems/problems';
import { sendProblem } from '@procurement/kit/http/server';
import { allowedResponseHeaders } from '../answer/response-headers.ts';
import type { ProxyDeps } from './deps.ts';
import { discardBody, keepConnection } from './discard-body.ts';
import { sendKept } from './kept-answer.ts';
import { upstreamContentType } from '../request/body-kind.ts';
import { upstreamHeaders } from './upstream-headers.ts';
import { acquireFileSlot, contentEncodingProblem, acquireUploadSlot } from './upload-slot.ts';
import { retryDelayMs, sendUpstreamProblem } from './upstream-problem.ts';

/** Public endpoints of the document service (http.md 2.8), served under the gateway's address (rulings R15). */
const ROUTES = [
  { method: 'POST', urls: ['/register', '/upload', '/upload/:doc_id'] },
  { method: 'GET', urls: ['/get/:doc_id'] },
] as const;

/** Forwards the public endpoints of the document service. Bodies are streamed in both directions. */
export async function registerDocumentService(app: FastifyInstance, deps: ProxyDeps): Promise<void> {
  for (const { method, urls } of ROUTES) {
    await app.register(httpProxy, {
      upstream: deps.upstreams.url('documents'),
      routes: [...urls],
      httpMethods: method === 'GET' ? ['GET', 'HEAD'] : [method],
      undici: deps.upstreams.filePool,
      proxyPayloads: false,
      disableRequestLogging: true,
      preHandler: (request, reply, done) => checkFile(deps, request, reply, done),
      handler: (request, reply) => reply.from(request.context.path, makeProxyOptions(deps, request)),
    });
  }
}

/** Refuses a compressed upload, and a file beyond those that its sender may send or receive at a time. */
function checkFile(deps: ProxyDeps, request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const failure = request.context.write ? uploadProblem(deps, request, reply) : acquireFileSlot(deps, request, reply);
  if (failure === undefined) done();
  else void sendProblem(reply, failure);
}

function uploadProblem(deps: ProxyDeps, request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  const encodingProblem = contentEncodingProblem(request);
  if (encodingProblem !== undefined) return encodingProblem;
  if (request.context.caller.kind === 'broker') return acquireUploadSlot(deps, request, reply);
  discardBody(request);
  return undefined;
}

function makeProxyOptions(deps: ProxyDeps, request: FastifyRequest): FastifyReplyFromHooks {
  const { context } = request;
  const identity = deps.signIdentity({
    service: 'documents',
    method: request.method,
    path: context.path,
    caller: context.caller,
    write: context.write,
    segment: '2.5',
  });
  const type = context.write ? upstreamContentType(context.contentType) : undefined;
  return {
    queryString: () => context.query,
    ...(context.bodyDiscarded === true ? { body: null } : {}),
    ...(context.write ? { timeout: deps.config.UPLOAD_TIMEOUT_MS } : {}),
    onResponse: (_request, anyReply, response) => {
      // The types of the plugin allow any server; ours is HTTP/1.
      const reply = anyReply as FastifyReply;
      keepConnection(request, reply);
      // The body of undici's response, which the plugin types as a message.
      const stream = response.stream as unknown as Readable;
      // Answers to uploads have links; a download is a file.
      if (context.publicBase === undefined || !context.write) void reply.send(stream);
      else sendKept(deps, request, reply, stream);
    },
    rewriteRequestHeaders: (_request, { 'content-length': length }) => ({
      ...upstreamHeaders(context, request.headers, identity),
      ...(context.write && length !== undefined ? { 'content-length': String(length) } : {}),
      ...(type === undefined ? {} : { 'content-type': type }),
    }),
    // Addresses of files are signed and absolute, so `location` stays unchanged.
    rewriteHeaders: (headers) => ({
      ...allowedResponseHeaders(headers, { base: deps.responseSettings.base, segment: '2.5' }),
      ...(typeof headers.location === 'string' ? { location: headers.location } : {}),
    }),
    retryDelay: ({ err, attempt }) => retryDelayMs(request.method, attempt, err),
    onError: sendUpstreamProblem,
  };
}
