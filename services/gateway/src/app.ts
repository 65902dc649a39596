import { problem } from '@procurement/contracts/problems/problems';
import { logOptions } from '@procurement/kit/http/app-server';
import { holdContinue } from '@procurement/kit/http/expect-continue';
import { toProblem, sendProblem } from '@procurement/kit/http/server';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { registerOnRequest } from './pipeline/on-request.ts';
import { registerOnSend } from './pipeline/on-send.ts';
import type { DescriptionDeps } from './description/deps.ts';
import type { HookDeps } from './pipeline/deps.ts';
import type { ProxyDeps } from './proxy/deps.ts';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { Limits } from './limits/limits.ts';
import { firstHeaderValue } from './request/request-target.ts';
import { registerDescription } from './description/description-endpoints.ts';
import { registerFailurePages } from './description/failure-pages.ts';
import { registerStartPage } from './description/start-page.ts';
import { makePages, PAGES_WITH_SLASH, registerPageFiles } from './description/page-frame.ts';
import { registerDocsPage } from './description/docs-page.ts';
import { registerGuidePages } from './description/guide-pages.ts';
import { registerErrorsPage } from './description/errors-page.ts';
import { registerHealthEndpoints } from './description/health-endpoints.ts';
import { registerIdempotency } from './idempotency/replay.ts';
import { handleClientError } from './limits/client-error.ts';
import { limitConnections } from './limits/connections.ts';
import { limitPipelining } from './limits/pipelining.ts';
import { trustedProxies } from './limits/trusted-proxies.ts';
import { registerDocumentService } from './proxy/document-service.ts';
import { registerOcds, tenderReleaseUrl } from './proxy/ocds-routes.ts';
import { logPaths, registerLog } from './proxy/log-routes.ts';
import { registerProxy } from './proxy/proxy-routes.ts';
import { methodRefusals } from './request/routes.table.ts';

/** Equal to Node's default, stated because clients meet it: longer headers are answered with 400. */
const HEADER_BYTES_MAX = 16 * 1024;
const PARAMETER_LENGTH_MAX = 8_000;

/** What serving a request needs. Not the database: while it is unavailable the gateway serves with the keys in memory. */
export interface AppDeps extends ProxyDeps, DescriptionDeps, HookDeps, Limits {
  readonly ids: IdGenerator;
  readonly state: { closing: boolean };
}

/** Builds the gateway's Fastify application. Does not listen. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const refusalOfMethod = methodRefusals(deps.table, deps.contracts, logPaths(deps.config));
  const trusted = trustedProxies(deps.config.TRUSTED_PROXIES);
  const app = Fastify({
    ...logOptions(deps.log),
    // No logger for each request (2 µs of a GET): lines about a request name it by themselves.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    genReqId: (raw) => {
      const proxyRequestId = firstHeaderValue(raw.headers['x-request-id']);
      return proxyRequestId !== undefined && trusted(raw.socket.remoteAddress)
        ? proxyRequestId
        : `req-${deps.ids.nextUuid()}`;
    },
    trustProxy: (address: string) => trusted(address),
    // A missing Host is refused with the other faults of a host, in the error format of the API (on-request.ts).
    http: { maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false },
    // Longest time in which a request may arrive: that of an upload.
    requestTimeout: deps.config.UPLOAD_TIMEOUT_MS,
    // Silence on a socket after which Node asks whether to end it (limits/connections.ts).
    connectionTimeout: deps.config.CLIENT_IDLE_MS,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // While closing, on-request.ts answers 503 in the error format of the API.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => handleClientError(error, socket, refusalOfMethod),
    frameworkErrors: (_error, _request, reply) => {
      // No hook runs, and so no rate limit.
      deps.delayRefusal(reply.raw, () => void sendProblem(reply, problem('request.bad')));
    },
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    // A tender as a release is one of the register's answers. The sandbox clock has an address outside the segments; segment 2.5
    // serves it (rulings R18).
    rewriteUrl: ({ method, url = '/' }) =>
      tenderReleaseUrl({ url, ...(method === undefined ? {} : { method }) }) ??
      (deps.config.SANDBOX_MODE ? sandboxUrl(url) : url),
  });
  // Bodies stay streams: proxy-routes.ts decides per request whether to read them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => {
    done(null, payload);
  });
  app.addHook('preClose', (done) => {
    deps.state.closing = true;
    // Their readers connect again elsewhere and go on after the last event. The server would wait for them until its time is over.
    for (const response of deps.openStreams) response.destroy();
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = toProblem(error);
    if (failure.status >= 500) request.log.error({ err: error, requestId: request.id }, 'request failed');
    return sendProblem(reply, failure);
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, problem('request.not-found')));
  limitConnections(app.server, {
    connectionsMax: deps.config.CONNECTIONS_MAX,
    connections: deps.concurrency.connections,
    isTrustedProxy: trusted,
  });
  limitPipelining(app.server);
  holdContinue(app.server);
  registerOnRequest(app, deps, { refusalOfMethod, pagesWithSlash: PAGES_WITH_SLASH });
  registerIdempotency(app, deps);
  const pages = makePages(deps);
  registerFailurePages(app, pages);
  registerOnSend(app, deps);
  registerHealthEndpoints(app, deps);
  const openApiText = registerDescription(app, deps);
  registerPageFiles(app);
  await registerDocsPage(app, deps, { pages, openApiText });
  registerStartPage(app, deps, pages);
  registerErrorsPage(app, pages);
  registerGuidePages(app, pages);
  await registerProxy(app, deps);
  await registerOcds(app, deps);
  await registerLog(app, deps);
  await registerDocumentService(app, deps);
  return app;
}

function sandboxUrl(url: string): string {
  return url.startsWith('/sandbox/') ? `/api/2.5${url}` : url;
}
