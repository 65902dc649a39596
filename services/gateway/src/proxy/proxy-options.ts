import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReplyFromHooks } from '@fastify/reply-from';
import type { RouteContract } from '@procurement/contracts/api/route';
import { WORK_BYTES_HEADER } from '@procurement/kit/http/client';
import { textOfUtf8 } from '@procurement/kit/runtime/utf8';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withEncodedIgnoredMembers } from '../generations/ignored-members.ts';
import { allowedResponseHeaders } from '../answer/response-headers.ts';
import { needsFormatting } from '../answer/response-format.ts';
import { LONG_TEXT_BYTES } from '../answer/text-work.ts';
import type { ProxyDeps } from './deps.ts';
import { chargeAnswer } from '../limits/answer-weight.ts';
import { findContract, type PathEntry } from '../request/routes.table.ts';
import { keepConnection } from './discard-body.ts';
import { keepAnswer, leaseUntilClosed, sendUnreadable } from './kept-answer.ts';
import { upstreamContentType } from '../request/body-kind.ts';
import { upstreamHeaders } from './upstream-headers.ts';
import { retryDelayMs, sendUpstreamProblem } from './upstream-problem.ts';

/** Options of `@fastify/reply-from` for forwarding this request to its service. */
export function proxyOptions(
  deps: ProxyDeps,
  request: FastifyRequest,
  entry: PathEntry,
  identity: string,
): FastifyReplyFromHooks {
  const { context } = request;
  const codec = deps.codecs(entry.segment);
  const route = findContract(entry, request.method);
  const urlBase = { base: deps.responseSettings.base, segment: entry.segment };
  const isMapped = route !== undefined && !codec.passesResponseThrough(route);
  if (isAskedUnchanged(request, route)) context.unchanged = true;
  // What is sent as it arrives: a stream does not end, and a file may be large.
  const isForwarded = route?.stream === true || route?.file !== undefined || context.unchanged === true;
  const mustBuffer = !isForwarded && (isMapped || needsFormatting(context) || context.publicBase !== undefined);
  const encodeContext = () => {
    const { query, sent, generation01 } = context;
    return { query, sent, generation01 };
  };
  const isUpload = context.write && context.body === undefined && !hasNoBody(request);
  return {
    queryString: () =>
      route === undefined ? context.query : codec.decodeQuery(route, context.query, context.generation01),
    // The length of a changed response is known from its text only, so HEAD is sent as GET (decision 0013).
    ...(mustBuffer && request.method === 'HEAD' ? { method: 'GET' as const } : {}),
    ...upstreamBody(request),
    ...(isUpload ? { timeout: deps.config.UPLOAD_TIMEOUT_MS } : {}),
    rewriteRequestHeaders: (_request, headers) => ({
      ...upstreamHeaders(context, request.headers, identity),
      ...bodyHeaders(request, headers),
    }),
    rewriteHeaders: (headers) => {
      const allowed = allowedResponseHeaders(headers, urlBase);
      return route === undefined ? allowed : withEncodedIgnoredMembers(allowed, codec, { route, ...encodeContext() });
    },
    retryDelay: ({ err, attempt }) => retryDelayMs(request.method, attempt, err),
    onError: sendUpstreamProblem,
    onResponse: (_request, anyReply, response) => {
      const reply = anyReply as FastifyReply;
      keepConnection(request, reply);
      // The body and headers of undici's response, which the plugin types as a message.
      const { stream, headers } = response as unknown as {
        readonly stream: Readable;
        readonly headers: IncomingHttpHeaders;
      };
      const json = /^application\/json\b/.test(String(reply.getHeader('content-type') ?? ''));
      // A HEAD that is not mapped has the length of the answer and no body.
      if (!json || context.unchanged === true || (request.method === 'HEAD' && !mustBuffer)) {
        if (context.unchanged === true) chargeAnswer(deps, request, { bytes: contentLengthOf(reply) });
        if (route?.file !== undefined) chargeAnswer(deps, request, { bytes: contentLengthOf(reply), isFile: true });
        void reply.send(stream);
        return;
      }
      reply.removeHeader('content-length');
      keepAnswer(stream, leaseUntilClosed(deps.answerBytes, context.address, reply.raw))
        .then((answer) => {
          chargeAnswer(deps, request, { bytes: answer.length, isMapped, worked: headers[WORK_BYTES_HEADER] });
          if (!isMapped) return answer;
          const { path, method } = route;
          const codecContext = { route: { path, method }, status: reply.statusCode, ...encodeContext() };
          if (context.write || answer.length <= LONG_TEXT_BYTES)
            return codec.encodeResponse(codecContext, textOfUtf8(answer));
          return deps.textWork.run(request, answer, { encode: { ...urlBase, context: codecContext }, indents: false });
        })
        .then(
          (answer) => reply.send(answer),
          (error: unknown) => sendUnreadable(request, reply, error),
        );
    },
  };
}

/** An answer in a format is a refusal, which is sent like any other. */
function isAskedUnchanged({ context }: FastifyRequest, route: RouteContract | undefined): boolean {
  if (route?.unchanged === true) return !needsFormatting(context);
  const name = route?.unchangedWith;
  return (
    name !== undefined && !needsFormatting(context) && new URLSearchParams(context.query).getAll(name).includes('1')
  );
}

function contentLengthOf(reply: FastifyReply): number {
  return Number(reply.getHeader('content-length') ?? 0);
}

/** True when the service gets no body. */
function hasNoBody({ method, context }: FastifyRequest): boolean {
  return method === 'DELETE' || context.bodyDiscarded === true;
}

/** The JSON body that was read here, null for none; otherwise the plugin streams the body of the request. */
function upstreamBody(request: FastifyRequest): Pick<FastifyReplyFromHooks, 'body' | 'contentType'> {
  const { body, bodyContentType } = request.context;
  if (body !== undefined) return { body, contentType: bodyContentType ?? 'application/json' };
  return hasNoBody(request) ? { body: null } : {};
}

function bodyHeaders(
  request: FastifyRequest,
  pluginHeaders: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const { context } = request;
  if (!context.write) return {};
  // Node gives header values as text, the plugin a counted length as a number.
  const length = pluginHeaders['content-length'] as string | number | undefined;
  const type =
    context.body === undefined ? upstreamContentType(context.contentType) : String(pluginHeaders['content-type']);
  return {
    ...(length === undefined ? {} : { 'content-length': String(length) }),
    ...(type === undefined || request.method === 'DELETE' ? {} : { 'content-type': type }),
  };
}
