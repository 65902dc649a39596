import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { SEGMENTS } from '../routes.table.ts';

/** The files of swagger-ui that the page uses: a tenth of the package. */
const ASSETS: ReadonlySet<string> = new Set([
  '/swagger-ui.css',
  '/index.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/favicon-32x32.png',
]);

// All files come from this server and no script is inline, so the page works without other hosts. Inline styles are allowed
// because swagger-ui writes them.
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

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
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** The reference at `/docs`, for every segment, from files of this server. */
export async function registerDocsPage(app: FastifyInstance): Promise<void> {
  const start = startScript([...new Set(Object.values(SEGMENTS))]);
  app.get('/docs', async (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/html; charset=UTF-8', 'content-security-policy': CONTENT_SECURITY_POLICY })
      .send(PAGE),
  );
  app.get('/docs/start.js', async (_request, reply) =>
    reply.header('content-type', 'text/javascript; charset=UTF-8').send(start),
  );
  await app.register(fastifyStatic, {
    // Resolved as a package, so that it is found from the sources, the build and the bundle of an image.
    root: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    prefix: '/docs/assets/',
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
