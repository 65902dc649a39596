import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { hostOf, type AddressedRequest } from '@procurement/kit/http/host-of';
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
export function contentSecurityPolicy(request: AddressedRequest, ownHost: string | undefined, folder: string): string {
  // A proxy may hide the host that the browser uses, and operators may use another one than brokers.
  const hosts = new Set([ownHost, hostOf(request)].filter((host) => host !== undefined));
  const folders = [...hosts].map((host) => host + folder);
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
): Promise<void> {
  const start = startScript([...new Set(Object.values(SEGMENTS))].sort().reverse());
  const ownHost = ownHostOf(responseSettings);
  const page = pageOf(FIRST_STEPS[responseSettings.sandbox ? 'sandbox' : 'real']);
  app.get('/docs', async (request, reply) => {
    const policy = contentSecurityPolicy(request, ownHost, ASSET_FOLDER);
    return reply.headers({ 'content-type': 'text/html; charset=UTF-8', 'content-security-policy': policy }).send(page);
  });
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

/** The host of `PUBLIC_BASE_URL`; undefined when it follows the request. */
export function ownHostOf({ followsRequest, base }: Deps['responseSettings']): string | undefined {
  return followsRequest ? undefined : new URL(base).host;
}

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
