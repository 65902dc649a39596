import type { Readable } from 'node:stream';
import { problem } from '@procurement/contracts/problems';
import { sendProblem } from '@procurement/kit/server';
import type { FastifyReplyFromHooks } from '@fastify/reply-from';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { passedHeaders } from '../answers/answer-headers.ts';
import { wantsAnotherForm } from '../answers/presentation.ts';
import type { Deps } from '../deps.ts';
import { contractOf, type PathEntry } from '../routes.table.ts';
import { passedContentType, requestHeaders } from './request-headers.ts';
import { mayRetry, upstreamProblem } from './upstream-problem.ts';

/** Pause before the one repeat of a read: a service that is just restarting needs a moment to listen again. */
const RETRY_MS = 50;

/** How `@fastify/reply-from` carries this request to its service and the answer back. */
export function proxyOptions(
  deps: Deps,
  request: FastifyRequest,
  entry: PathEntry,
  identity: string,
): FastifyReplyFromHooks {
  const { exchange } = request;
  const codec = deps.codecs(entry.segment);
  const route = contractOf(entry, request.method);
  const addresses = { base: deps.answers.base, segment: entry.segment };
  const maps = route !== undefined && !codec.passThrough(route);
  const whole = maps || wantsAnotherForm(exchange);
  const upload = exchange.write && exchange.body === undefined && request.method !== 'DELETE';
  return {
    queryString: () => (route === undefined ? exchange.query : codec.query(route, exchange.query, exchange.early)),
    // The length of an answer that is changed on the way is only known from its text, also for HEAD.
    ...(whole && request.method === 'HEAD' ? { method: 'GET' as const } : {}),
    ...bodyOf(request),
    ...(upload ? { timeout: deps.config.UPLOAD_TIMEOUT_MS } : {}),
    rewriteRequestHeaders: (_request, headers) => ({
      ...requestHeaders(exchange, request.headers, identity),
      ...bodyHeaders(request, headers),
    }),
    rewriteHeaders: (headers) => passedHeaders(headers, addresses),
    retryDelay: ({ err, attempt }) => (mayRetry(request.method, attempt, err) ? RETRY_MS : null),
    onError: (reply, { error }) => {
      // The plugin's types speak of any server; ours is HTTP/1.
      void sendProblem(reply as FastifyReply, upstreamProblem(error));
    },
    onResponse: (_request, anyReply, answer) => {
      const reply = anyReply as FastifyReply;
      // The body of undici's answer, which the plugin's types call a message.
      const stream = answer.stream as unknown as Readable;
      const json = /^application\/json\b/.test(String(reply.getHeader('content-type') ?? ''));
      if (!whole || !json) {
        void reply.send(stream);
        return;
      }
      reply.removeHeader('content-length');
      readText(stream)
        .then((text) => {
          const { query, sent, early } = exchange;
          const context = { status: reply.statusCode, query, sent, early };
          return maps ? codec.response({ ...context, route }, text) : text;
        })
        .then(
          (text) => reply.send(text),
          (error: unknown) => {
            request.log.error({ err: error, requestId: exchange.requestId }, 'answer not readable');
            return sendProblem(reply, problem('service.bad-gateway'));
          },
        );
    },
  };
}

/** A JSON body that was read here; nothing for methods that have none; otherwise the plugin streams the request on. */
function bodyOf(request: FastifyRequest): Pick<FastifyReplyFromHooks, 'body' | 'contentType'> {
  const { body, bodyType } = request.exchange;
  if (body !== undefined) return { body, contentType: bodyType ?? 'application/json' };
  return request.method === 'DELETE' ? { body: null } : {};
}

function bodyHeaders(request: FastifyRequest, prepared: Readonly<Record<string, unknown>>): Record<string, string> {
  const { exchange } = request;
  if (!exchange.write) return {};
  // Node gives header values as text; the plugin gives the length that it has counted as a number.
  const length = prepared['content-length'] as string | number | undefined;
  const type = exchange.body === undefined ? passedContentType(exchange.contentType) : String(prepared['content-type']);
  return {
    ...(length === undefined ? {} : { 'content-length': String(length) }),
    ...(type === undefined || request.method === 'DELETE' ? {} : { 'content-type': type }),
  };
}

async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
