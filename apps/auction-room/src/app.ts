import { appServerOptions, statusClass } from '@procurement/kit/http/app-server';
import { registerStaticTexts } from '@procurement/kit/http/static-texts';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { mountCompat } from './http/compat.ts';
import { mountCompatSocket } from './http/compat-socket.ts';
import { listAuctions, showList } from './http/list-auctions.ts';
import { logIn, logOut, showLogin } from './http/log-in.ts';
import { moveSandboxClock } from './http/move-sandbox-clock.ts';
import { placeOffer } from './http/place-offer.ts';
import { refuse, sendErrors } from './http/refuse.ts';
import { getMine, getProtocol, getState, getTime, showAuction } from './http/show-auction.ts';
import { openStream } from './http/stream.ts';
import { isUnavailable } from './http/unavailable.ts';
import { RateExceededError } from './session/rates.ts';
import { makeWatcherQuota } from './watch/watcher-quota.ts';

const BODY_BYTES_MAX = 4_096;
const HEADER_BYTES_MAX = 8_192;
const YEAR_SECONDS = 31_536_000;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types room',
].join('; ');

/** Every answer has these headers (auction-room.md 10.4). */
function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  };
}

/** The public side of the room. It has its own origin: its cookies and scripts share nothing with the API. */
export function buildApp(deps: Deps): FastifyInstance {
  const { settings, log, metrics } = deps;
  const headers = securityHeaders(settings.PUBLIC_URL);
  const app = Fastify({
    ...appServerOptions({
      log,
      bodyBytesMax: BODY_BYTES_MAX,
      headerBytesMax: HEADER_BYTES_MAX,
      trustedProxies: settings.TRUSTED_PROXIES,
      newId: deps.newId,
    }),
    // An address that cannot be decoded: no hook runs for it.
    frameworkErrors: (_error, request, reply) => {
      void refuse(reply.headers({ ...headers, 'x-request-id': request.id }), 'auction.not-found');
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...headers, 'x-request-id': request.id });
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const labels = { method: request.method, route, status: statusClass(reply.statusCode) };
    metrics.requestSeconds.observe(labels, reply.elapsedTime / 1_000);
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof RateExceededError) return refuse(reply, 'rate.exceeded');
    const { statusCode = 500 } = error;
    if (statusCode < 500)
      return sendErrors(reply, statusCode, { location: 'body', name: 'data', description: error.message });
    const isPassing = isUnavailable(error);
    log[isPassing ? 'warn' : 'error']({ err: error, requestId: request.id }, 'request failed');
    return isPassing ? refuse(reply, 'room.unavailable') : reply.code(500).send({ status: 'error', errors: [] });
  });
  app.setNotFoundHandler((_request, reply) => refuse(reply, 'auction.not-found'));
  mountRoutes(app, deps);
  return app;
}

function mountRoutes(app: FastifyInstance, deps: Deps): void {
  const quota = makeWatcherQuota(deps.hub, deps.settings);
  app.get('/', showList(deps));
  app.get('/auctions', listAuctions(deps));
  app.get('/time', getTime(deps));
  app.get('/tenders/:id', showAuction(deps));
  app.get('/tenders/:id/login', showLogin(deps));
  app.post('/tenders/:id/login', logIn(deps));
  app.post('/tenders/:id/logout', logOut(deps));
  app.get('/tenders/:id/state', getState(deps));
  app.get('/tenders/:id/mine', getMine(deps));
  app.get('/tenders/:id/stream', openStream(deps, quota));
  app.get('/tenders/:id/protocol', getProtocol(deps));
  app.post('/tenders/:id/offers', placeOffer(deps));
  if (deps.settings.COMPAT_API) {
    mountCompat(app, deps);
    void app.register(async (scope) => mountCompatSocket(scope, deps, quota));
  }
  if (deps.settings.SANDBOX_MODE) app.post('/sandbox/auctions/:id/clock', moveSandboxClock(deps));
  registerStaticTexts(app, '/assets/', deps.page.assets);
}
