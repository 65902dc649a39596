import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import { referenceScript, referenceSheet } from '@procurement/page-style/gen/assets';
import { html, withCode, type Html } from '@procurement/page-style/html';
import type { FastifyInstance } from 'fastify';
import type { DescriptionDeps } from './deps.ts';
import { splitTarget } from '../request/request-target.ts';
import { SEGMENTS, type PublicSegment } from '../generations/segments.ts';
import type { OpenApiDocument } from './openapi.ts';
import { ASSET_FOLDER, type PageContent, type Pages } from './page-frame.ts';
import { referenceNavigation } from './reference-navigation.ts';

const PATH = '/docs';
const BUNDLE = 'swagger-ui-bundle.js';

/** What a reader does to publish a tender with the page: Swagger UI has the buttons. */
const SEND = [
  html`Open <a href="#/tenders/createTender"><b>POST /tenders</b></a> and press <b>Execute</b>. The example is sent as it is shown. The answer is 201, with the tender in <code>data</code> and its owner token in <code>access</code>.`,
  html`A later change of the tender needs that token: enter it as <code>X-Access-Token</code>, and the <code>id</code> of the tender as <code>tender_id</code>.`,
];
const FIRST_STEPS = {
  sandbox: {
    title: 'Publish a tender from this page',
    steps: [
      html`This is a sandbox. Press <b>Authorize</b>, enter <code>broker1</code> as the user name of <b>basic</b>, leave the password empty, and press <b>Authorize</b> and <b>Close</b>.`,
      ...SEND,
    ],
  },
  real: {
    title: 'Send requests from this page',
    steps: [
      html`Requests from this page are real. With <code>1</code> as <code>opt_dry_run</code> a request is answered as if it were done, and changes nothing.`,
      html`Press <b>Authorize</b>, enter your API key as the user name of <b>basic</b>, leave the password empty, and press <b>Authorize</b> and <b>Close</b>.`,
      ...SEND,
    ],
  },
} as const;

/** Segments, newest first; another name of one has no page of its own. */
const SEGMENTS_SHOWN = [...new Set<PublicSegment>(Object.values(SEGMENTS))].toSorted().toReversed();

/** Swagger UI writes inline styles, has images in its sheet, and sends requests to the API. */
const POLICY = { 'style-src': "'unsafe-inline'", 'img-src': "'self' data:", 'connect-src': "'self'" };

interface Reference {
  readonly pages: Pages;
  /** The text of the OpenAPI document of a segment. */
  readonly openApiText: (segment: PublicSegment) => string;
}

/** The reference at `/docs`, for every segment, from files of this server (portal.md 8.3). */
export async function registerDocsPage(
  app: FastifyInstance,
  { responseSettings }: Pick<DescriptionDeps, 'responseSettings'>,
  { pages, openApiText }: Reference,
): Promise<void> {
  const steps = firstSteps(FIRST_STEPS[responseSettings.sandbox ? 'sandbox' : 'real']);
  // Operations do not change while the process runs.
  const contents = new Map<PublicSegment, PageContent>();
  const renderContent = (segment: PublicSegment): PageContent => {
    const kept = contents.get(segment);
    if (kept !== undefined) return kept;
    // Safe cast: this process makes the text.
    const document = JSON.parse(openApiText(segment)) as OpenApiDocument;
    const content = referencePage(segment, steps, document);
    contents.set(segment, content);
    return content;
  };
  app.get(PATH, async (request, reply) => {
    const asked = new URLSearchParams(splitTarget(request.raw.url ?? '').query).get('segment');
    const segment = SEGMENTS_SHOWN.find((one) => one === asked) ?? '2.5';
    const page = pages.framed(renderContent(segment), pages.placeOf(request));
    return pages.send(request, reply, page, POLICY);
  });
  await app.register(fastifyStatic, {
    // Resolved as a package, so that it is found from the sources, the build and the bundle of an image.
    root: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    prefix: ASSET_FOLDER,
    index: false,
    decorateReply: false,
    allowedPath: (path) => path === `/${BUNDLE}`,
    cacheControl: true,
    maxAge: '1h',
  });
}

function firstSteps({ title, steps }: { readonly title: string; readonly steps: readonly Html[] }): Html {
  return html`<section id="first-steps" class="card" aria-labelledby="first-steps-title"><h2 id="first-steps-title">${title}</h2>
<ol>${steps.map((step) => html`<li>${step}</li>`)}</ol></section>`;
}

function referencePage(segment: PublicSegment, steps: Html, document: OpenApiDocument): PageContent {
  const navigation = referenceNavigation(document);
  const openApi = `/api/${segment}/openapi.json`;
  const segments = SEGMENTS_SHOWN.map(
    (one) => html`<li><a href="${PATH}?segment=${one}"${one === segment && html` aria-current="page"`}>${one}</a></li>`,
  );
  const body = html`<div class="columns columns-3-9">
<div>
<details class="narrow-only side-nav operations"><summary>All operations</summary><nav aria-label="Operations">${navigation}</nav></details>
<nav class="wide-only side-nav operations sticky" aria-labelledby="operations-title"><h2 id="operations-title">Operations</h2>${navigation}</nav>
</div>
<main id="main">
<div class="page-head"><h1>Reference</h1>
<p class="lead">Every operation of the API, with requests to send from this page.</p>
<nav class="segments" aria-labelledby="segments-title"><h2 id="segments-title">Segment</h2><ul class="chips">${segments}</ul><a href="${openApi}">OpenAPI document</a></nav></div>
<p class="about">${withCode(document.info.description)}</p>
${steps}
<noscript><p class="notice warn">Descriptions and requests need JavaScript. The OpenAPI document has all of them as JSON.</p></noscript>
<div id="swagger-ui" data-url="${openApi}"></div>
</main>
</div>`;
  return {
    title: segment === '2.5' ? 'Reference' : `Reference of segment ${segment}`,
    section: PATH,
    sheets: [referenceSheet.name],
    head: html`<script defer src="${ASSET_FOLDER}${BUNDLE}"></script><script type="module" src="${ASSET_FOLDER}${referenceScript.name}"></script>`,
    body,
  };
}
