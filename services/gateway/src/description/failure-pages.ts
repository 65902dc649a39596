import { html, type Html } from '@procurement/page-style/html';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { splitTarget } from '../request/request-target.ts';
import type { Pages } from './page-frame.ts';
import { namesHtml } from './portal-address.ts';

/** Paths of programs, whose answers are JSON for browsers too (portal.md 8.4). `/health` tells monitors what has failed. */
const OF_PROGRAMS = /^\/(?:api|ocds|sandbox|log|get|upload|register|health)(?:\/|$)/;

const TEXTS: Readonly<Record<number, { readonly title: string; readonly sentence: string }>> = {
  404: { title: 'Page not found', sentence: 'Nothing is at this address. It may be misspelt, or out of date.' },
  503: { title: 'Not available now', sentence: 'The service cannot answer now. Open the page again in a few seconds.' },
};

/** Answers browsers with a page where programs get 404 or 503 as JSON. */
export function registerFailurePages(app: FastifyInstance, pages: Pages): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const text = TEXTS[reply.statusCode];
    if (text === undefined || !isForBrowser(request)) done(null, payload);
    else done(null, failurePage(request, reply, text, pages));
  });
}

function isForBrowser(request: FastifyRequest): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !OF_PROGRAMS.test(splitTarget(request.originalUrl).path) &&
    namesHtml(request)
  );
}

function failurePage(
  request: FastifyRequest,
  reply: FastifyReply,
  { title, sentence }: { readonly title: string; readonly sentence: string },
  pages: Pages,
): string {
  void reply
    .removeHeader('content-length')
    .headers({ ...pages.headersFor(request), 'cache-control': 'no-store', vary: 'Accept, Accept-Encoding' });
  const body = failureView(title, sentence, request.id);
  return pages.framed({ title, body }, pages.placeOf(request));
}

function failureView(title: string, sentence: string, requestId: string): Html {
  return html`<main id="main"><div class="page-head"><h1>${title}</h1><p class="lead">${sentence}</p></div>
<ul class="plain-list"><li><a href="/">Start page</a></li><li><a href="/docs/guides">Guides</a></li><li><a href="/docs">Reference of all operations</a></li></ul>
<p class="request-number quiet">Number of the request: <code>${requestId}</code></p></main>`;
}
