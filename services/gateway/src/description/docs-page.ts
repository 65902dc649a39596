import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { hostOf } from '../pipeline/public-base.ts';
import { SEGMENTS } from '../routes.table.ts';

/** The files of swagger-ui that the page uses: a tenth of the package. */
const ASSETS: ReadonlySet<string> = new Set([
  '/swagger-ui.css',
  '/index.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/favicon-32x32.png',
]);

/** The folder of all scripts of the page, which has no answers of the API. */
const ASSET_FOLDER = '/docs/assets/';

/**
 * Scripts come from the asset folder only: `'self'` would allow JSONP answers, which are scripts of the same origin (ruling R30).
 * A source with a path needs a host; without a scheme it matches that of the page. Inline styles are allowed because swagger-ui
 * writes them.
 */
function contentSecurityPolicy(hosts: ReadonlySet<string>): string {
  const folders = [...hosts].map((host) => host + ASSET_FOLDER);
  return [
    "default-src 'self'",
    `script-src ${folders.length === 0 ? "'none'" : folders.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Public Procurement Tender Service</title>
    <link rel="icon" href="/docs/assets/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
    <link rel="stylesheet" href="/docs/assets/index.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/assets/swagger-ui-standalone-preset.js"></script>
    <script src="/docs/assets/start.js"></script>
  </body>
</html>
`;

/** The reference at `/docs`, for every segment, from files of this server. */
export async function registerDocsPage(
  app: FastifyInstance,
  { responseSettings }: Pick<Deps, 'responseSettings'>,
): Promise<void> {
  const start = startScript([...new Set(Object.values(SEGMENTS))]);
  const ownHost = responseSettings.followsRequest ? undefined : new URL(responseSettings.base).host;
  app.get('/docs', async (request, reply) => {
    // A proxy may hide the host that the browser uses, and operators may use another one than brokers.
    const policy = contentSecurityPolicy(new Set([ownHost, hostOf(request)].filter((host) => host !== undefined)));
    return reply.headers({ 'content-type': 'text/html; charset=UTF-8', 'content-security-policy': policy }).send(PAGE);
  });
  app.get(`${ASSET_FOLDER}start.js`, async (_request, reply) =>
    reply.header('content-type', 'text/javascript; charset=UTF-8').send(start),
  );
  await app.register(fastifyStatic, {
    // Resolved as a package, so that it is found from the sources, the build and the bundle of an image.
    root: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    prefix: ASSET_FOLDER,
    index: false,
    decorateReply: false,
    allowedPath: (path) => ASSETS.has(path),
    cacheControl: true,
    maxAge: '1h',
  });
}

function startScript(segments: readonly string[]): string {
  const urls = segments.map((segment) => ({ name: `segment ${segment}`, url: `/api/${segment}/openapi.json` }));
  return `window.ui = SwaggerUIBundle({
  urls: ${JSON.stringify(urls)},
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
});
`;
}
