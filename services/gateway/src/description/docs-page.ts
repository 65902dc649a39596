import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { SEGMENTS } from '../routes.table.ts';
import { ASSET_FOLDER, type Pages } from './page-frame.ts';

/** The files of swagger-ui that the page uses: a tenth of the package. */
const ASSETS: ReadonlySet<string> = new Set([
  '/swagger-ui.css',
  '/index.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/favicon-32x32.png',
]);

/** What a reader does to publish a tender with the page: swagger-ui has the buttons. */
const SEND = [
  'Open <b>POST /tenders</b> below, press <b>Try it out</b>, then <b>Execute</b>. The example is sent as it is shown. The answer is 201, with the tender in <code>data</code> and its owner token in <code>access</code>.',
  'A later change of the tender needs that token: enter it as <code>X-Access-Token</code>, and the <code>id</code> of the tender as <code>tender_id</code>.',
];
const FIRST_STEPS = {
  sandbox: {
    title: 'Publish a tender from this page',
    steps: [
      'This is a sandbox. Press <b>Authorize</b>, enter <code>broker1</code> as the user name of <b>basic</b>, leave the password empty, and press <b>Authorize</b> and <b>Close</b>.',
      ...SEND,
    ],
  },
  real: {
    title: 'Send requests from this page',
    steps: [
      'Requests from this page are real. With <code>1</code> as <code>opt_dry_run</code> a request is answered as if it were done, and changes nothing.',
      'Press <b>Authorize</b>, enter your API key as the user name of <b>basic</b>, leave the password empty, and press <b>Authorize</b> and <b>Close</b>.',
      ...SEND,
    ],
  },
} as const;
const LINKS =
  '<a href="/docs/guides">Guides</a> <a href="/docs/guides/first-procedure">First procedure</a> <a href="/docs/errors">Errors</a> <a href="/">Start page</a>';

function pageOf({ title, steps }: { readonly title: string; readonly steps: readonly string[] }): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Public Procurement Tender Service</title>
    <link rel="icon" href="/docs/assets/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
    <link rel="stylesheet" href="/docs/assets/index.css">
    <link rel="stylesheet" href="/docs/assets/page.css">
  </head>
  <body>
    <section id="first-steps" aria-labelledby="first-steps-title">
      <h2 id="first-steps-title">${title}</h2>
      <ol>
${steps.map((step) => `        <li>${step}</li>`).join('\n')}
      </ol>
      <p>${LINKS}</p>
    </section>
    <div id="swagger-ui"></div>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/assets/swagger-ui-standalone-preset.js"></script>
    <script src="/docs/assets/start.js"></script>
  </body>
</html>
`;
}

/** The reference at `/docs`, for every segment, from files of this server. */
export async function registerDocsPage(
  app: FastifyInstance,
  { responseSettings }: Pick<Deps, 'responseSettings'>,
  pages: Pages,
): Promise<void> {
  const start = startScript([...new Set(Object.values(SEGMENTS))].sort().reverse());
  const page = pageOf(FIRST_STEPS[responseSettings.sandbox ? 'sandbox' : 'real']);
  app.get('/docs', async (request, reply) => pages.send(request, reply, page, POLICY));
  app.get(`${ASSET_FOLDER}page.css`, async (_request, reply) =>
    reply.header('content-type', 'text/css; charset=UTF-8').send(STYLE),
  );
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

/** Swagger UI writes inline styles, has images in its sheet, and sends requests to the API. */
const POLICY = { 'style-src': "'unsafe-inline'", 'img-src': "'self' data:", 'connect-src': "'self'" };

/** The first steps; then colours of swagger-ui that are too faint for WCAG 2.2 AA. */
const STYLE = `#first-steps { font: 16px/1.5 sans-serif; max-width: 1420px; margin: 1rem auto; padding: 0 20px; }
#first-steps a { color: #1a5a96; margin-right: 1rem; }
.swagger-ui .info .title small { background: #4a5058; }
.swagger-ui .info .title small.version-stamp { background: #39650b; }
.swagger-ui .info .title small pre { color: #fff; }
.swagger-ui .opblock[class] .opblock-summary-method { background: #39424e; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #39424e; }
.swagger-ui .btn.authorize { color: #22633c; }
.swagger-ui .info .url, .swagger-ui a.link { color: #1a5a96; }
`;

function startScript(segments: readonly string[]): string {
  const urls = segments.map((segment) => ({ name: `segment ${segment}`, url: `/api/${segment}/openapi.json` }));
  return `window.ui = SwaggerUIBundle({
  urls: ${JSON.stringify(urls)},
  'urls.primaryName': ${JSON.stringify(urls[0]?.name)},
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  // The list of servers has no label.
  onComplete: () => document.querySelector('#servers')?.setAttribute('aria-label', 'Server'),
});
`;
}
