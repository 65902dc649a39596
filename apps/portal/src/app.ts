import { appServerOptions, statusClass } from '@procurement/kit/http/app-server';
import { registerStaticTexts } from '@procurement/kit/http/static-texts';
import { pageScript, portalSheet } from '@procurement/page-style/gen/assets';
import { FAVICON } from '@procurement/page-style/icons';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Deps } from './deps.ts';
import { contentSecurityPolicy, findOrigins } from './origins.ts';
import { PageRefusal, type PageError } from './page-refusal.ts';
import { answerPage, sendFailure, sendPlain, servePage } from './page-route.tsx';
import { playOn } from './pages/play/route.tsx';
import { PAGES } from './pages.table.ts';
import { ASSET_FOLDER } from './parts/document.tsx';
import { languageOf, withoutLanguage } from './parts/page-context.ts';

const BODY_BYTES_MAX = 8192;
const HEADER_BYTES_MAX = 16_384;
const MS_A_SECOND = 1000;
const HSTS = 'max-age=31536000';
const PERMISSIONS = 'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()';

/** The pages. No route writes, except `/play`. */
export function buildApp(deps: Deps): FastifyInstance {
  const { settings, log, metrics } = deps;
  const app = Fastify({
    ...appServerOptions({
      log,
      bodyBytesMax: BODY_BYTES_MAX,
      headerBytesMax: HEADER_BYTES_MAX,
      trustedProxies: settings.TRUSTED_PROXIES,
      newId: deps.newId,
    }),
    routerOptions: { ignoreTrailingSlash: true },
    // An address that cannot be decoded: no hook runs for it.
    frameworkErrors: (_error, _request, reply) => {
      void sendPlain(reply, 404, '404\n');
    },
  });
  app.decorateRequest('origins');
  app.addHook('onRequest', async (request, reply) => {
    request.origins = findOrigins(request, settings);
    const own = request.origins?.own;
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': PERMISSIONS,
      'content-security-policy': own === undefined ? "default-src 'none'" : contentSecurityPolicy(own),
      ...(own?.startsWith('https:') === true ? { 'strict-transport-security': HSTS } : {}),
    });
  });
  app.addHook('onResponse', async (request, reply) => {
    const path = withoutLanguage(request.routeOptions.url ?? '');
    const page = PAGES.some(([known]) => known === path) ? path : 'other';
    metrics.pageSeconds.observe({ page, status: statusClass(reply.statusCode) }, reply.elapsedTime / MS_A_SECOND);
  });
  registerStaticTexts(app, ASSET_FOLDER, [portalSheet, pageScript]);
  app.get('/favicon.svg', async (_request, reply) => reply.type('image/svg+xml').send(FAVICON));
  app.get('/robots.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(`User-agent: *\nDisallow: ${settings.INDEXING ? '/play' : '/'}\n`),
  );
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  for (const [path, route] of PAGES) servePage(app, deps, path, route);
  servePage(app, deps, '/play', playOn, 'POST');
  const refuse = async (request: FastifyRequest, reply: FastifyReply, error: PageError): Promise<FastifyReply> =>
    answerPage(request, reply, deps, languageOf(request.url), async () => Promise.reject(new PageRefusal(error)));
  app.setNotFoundHandler(async (request, reply) => refuse(request, reply, { kind: 'no-page' }));
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const { statusCode: status = 500 } = error;
    return status < 500 ? refuse(request, reply, { kind: 'unread', status }) : sendFailure(error, request, reply, deps);
  });
  return app;
}
