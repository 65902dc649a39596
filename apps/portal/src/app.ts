import { registerStaticTexts } from '@procurement/kit/http/static-texts';
import { pageScript, portalSheet } from '@procurement/page-style/gen/assets';
import { FAVICON } from '@procurement/page-style/icons';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { contentSecurityPolicy, originsOf } from './origins.ts';
import { PageRefusal } from './page-refusal.ts';
import { servePage } from './page-route.tsx';
import { playOn } from './pages/play/route.tsx';
import { PAGES } from './pages.table.ts';
import { ASSET_FOLDER } from './parts/document.tsx';

const BODY_BYTES_MAX = 8192;
const HEADER_BYTES_MAX = 16_384;
const REQUEST_MS_MAX = 10_000;
const HSTS = 'max-age=31536000';
const PERMISSIONS = 'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()';

/** The pages. No route writes, except `/play`. */
export function buildApp(deps: Deps): FastifyInstance {
  const { settings, log, metrics } = deps;
  const app = Fastify({
    // Safe cast: pino's Logger implements Fastify's logger interface.
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: BODY_BYTES_MAX,
    http: { maxHeaderSize: HEADER_BYTES_MAX },
    requestTimeout: REQUEST_MS_MAX,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
    trustProxy: settings.TRUSTED_PROXIES.length === 0 ? false : [...settings.TRUSTED_PROXIES],
    genReqId: () => deps.newId(),
  });
  app.addHook('onRequest', async (request, reply) => {
    const own = originsOf(request, settings)?.own;
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
    const route = request.routeOptions.url ?? 'unknown';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    metrics.requestSeconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
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
  const noSuchPage = async (): Promise<never> => Promise.reject(new PageRefusal({ kind: 'no-page' }));
  servePage(app, deps, '/*', noSuchPage);
  return app;
}
