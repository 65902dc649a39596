import type { Readable } from 'node:stream';
import httpProxy from '@fastify/http-proxy';
import type { FastifyReplyFromHooks } from '@fastify/reply-from';
import { problem } from '@procurement/contracts/problems/problems';
import { sendProblem } from '@procurement/kit/http/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allowedResponseHeaders } from '../answer/response-headers.ts';
import { chargeAnswer } from '../limits/answer-weight.ts';
import type { Config } from '../config.ts';
import type { ProxyDeps } from './deps.ts';
import { readOnlyPaths } from './read-only-paths.ts';
import { upstreamHeaders } from './upstream-headers.ts';
import { retryDelayMs, sendUpstreamProblem } from './upstream-problem.ts';

/** What the ledger answers, if there is one. */
export function logPaths({ LEDGER_URL }: Pick<Config, 'LEDGER_URL'>): readonly string[] {
  return LEDGER_URL === undefined ? [] : ['/log/*'];
}

/**
 * Routes `/log` to the ledger, which knows its paths (proof.md 3.3). Outside of segments: no codec, no format option, no key. What it
 * sends is passed on unchanged, because readers verify signatures and hashes of it. Without a ledger there is no such path.
 */
export async function registerLog(app: FastifyInstance, deps: ProxyDeps): Promise<void> {
  const paths = logPaths(deps.config);
  if (paths.length === 0) return;
  await app.register(async (scope) => {
    readOnlyPaths(scope, paths);
    await scope.register(httpProxy, {
      upstream: deps.upstreams.url('ledger'),
      routes: [...paths],
      httpMethods: ['GET', 'HEAD'],
      undici: deps.upstreams.dispatcher('ledger'),
      proxyPayloads: false,
      disableRequestLogging: true,
      handler: (request, reply) => {
        const { path, queryTokens } = request.context;
        // The token was taken out of the query, so that the ledger does not see it.
        if (queryTokens.length > 0) return sendProblem(reply, problem('params.unknown', { name: 'acc_token' }));
        return reply.from(path, makeProxyOptions(deps, request));
      },
    });
  });
}

function makeProxyOptions(deps: ProxyDeps, request: FastifyRequest): FastifyReplyFromHooks {
  const { context, method } = request;
  const { path, caller } = context;
  const identity = deps.signIdentity({ service: 'ledger', method, path, caller, write: false, segment: '2.5' });
  return {
    queryString: () => context.query,
    rewriteRequestHeaders: () => upstreamHeaders(context, request.headers, identity),
    rewriteHeaders: (headers) => allowedResponseHeaders(headers, { base: deps.responseSettings.base, segment: '2.5' }),
    retryDelay: ({ err, attempt }) => retryDelayMs(method, attempt, err),
    onError: sendUpstreamProblem,
    onResponse: (_request, anyReply, response) => {
      // The types of the plugin allow any server; ours is HTTP/1.
      const reply = anyReply as FastifyReply;
      chargeAnswer(deps, request, { bytes: Number(reply.getHeader('content-length') ?? 0), isFile: true });
      // The body of undici's response, which the plugin types as a message.
      void reply.send(response.stream as unknown as Readable);
    },
  };
}
