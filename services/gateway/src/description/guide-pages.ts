import { problem } from '@procurement/contracts/problems/problems';
import { sendProblem } from '@procurement/kit/http/server';
import { escapeHtml, Html, html } from '@procurement/page-style/html';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { splitTarget } from '../request/request-target.ts';
import { generatedText } from './generated-text.ts';
import { findSections, splitWords, type FoundSection, type GuideSection } from './guide-search.ts';
import type { PageContent, PagePlace, Pages } from './page-frame.ts';

const PATH = '/docs/guides';

/** The address of the API in the guides, which `npm start` has. Pages name the one that their reader uses (ruling R29). */
const WRITTEN_BASE = 'http://127.0.0.1:8080';

/** Installations have one or two addresses; a client may send any `Host`. */
const PLACES_MAX = 16;

const VARY = 'Accept-Encoding, Host, X-Forwarded-Host, X-Forwarded-Proto';

/** What apps/docs makes of the guides, as markup without the frame. */
interface Guides {
  readonly pages: readonly { readonly name: string; readonly title: string; readonly body: string }[];
  readonly list: string;
  readonly sections: readonly GuideSection[];
}

/** The guides (docs/guides), their list, and a search in their sections (portal.md 8.1). */
export function registerGuidePages(app: FastifyInstance, pages: Pages): void {
  // Safe cast: the same repository writes the file.
  const guides = JSON.parse(generatedText('guides.json')) as Guides;
  const contents = new Map<string, PageContent>(
    guides.pages.map(({ name, title, body }) => [name, { title, section: PATH, body: new Html(body) }]),
  );
  const list = listPage(new Html(guides.list));
  const render = (content: PageContent, place: PagePlace): string =>
    pages.framed(content, place).replaceAll(WRITTEN_BASE, () => escapeHtml(place.base));

  const kept = new LRUCache<string, Map<PageContent, string>>({ max: PLACES_MAX });
  const keptPage = (content: PageContent, place: PagePlace): string => {
    const key = `${place.base} ${place.portal ?? ''}`;
    const rendered = kept.get(key) ?? new Map<PageContent, string>();
    kept.set(key, rendered);
    const page = rendered.get(content) ?? render(content, place);
    rendered.set(content, page);
    return page;
  };

  app.get(PATH, async (request, reply) => {
    const query = new URLSearchParams(splitTarget(request.raw.url ?? '').query).get('q') ?? '';
    const place = pages.placeOf(request);
    const words = splitWords(query);
    const page =
      words.length === 0
        ? keptPage(list, place)
        : render(foundPage(query, findSections(guides.sections, words)), place);
    return pages.send(request, reply.header('vary', VARY), page);
  });
  app.get<{ Params: { name: string } }>(`${PATH}/:name`, async (request, reply) => {
    const content = contents.get(request.params.name);
    if (content === undefined) return sendProblem(reply, problem('request.not-found'));
    return pages.send(request, reply.header('vary', VARY), keptPage(content, pages.placeOf(request)));
  });
}

function searchBox(query: string): Html {
  return html`<form class="search-box" role="search" action="${PATH}"><label class="away" for="guide-search">Words in the guides</label><input id="guide-search" type="search" name="q" value="${query}" maxlength="256" placeholder="Words in the guides"><button class="button primary">Search</button></form>`;
}

function listPage(list: Html): PageContent {
  const body = html`<main id="main" class="guide-index"><div class="page-head"><h1>Guides</h1>
<p class="lead">How to work with the API, from a first procedure to its limits. A test runs the blocks of code as they are shown.</p>
${searchBox('')}</div>
${list}</main>`;
  return { title: 'Guides', section: PATH, body };
}

function foundPage(query: string, found: readonly FoundSection[]): PageContent {
  const shown =
    found.length === 0
      ? html`<div class="empty-state"><p>No section of the guides holds all of these words.</p><p><a href="${PATH}">All guides</a> · <a href="/docs">Reference of all operations</a> · <a href="/docs/errors">All errors</a></p></div>`
      : html`<ol class="found-list">${found.map(
          ({ href, title, excerpt }) =>
            html`<li><h2><a href="${href}">${title}</a></h2><p class="quiet">${excerpt}</p></li>`,
        )}</ol>`;
  const count = `${found.length === 0 ? 'No' : found.length} ${found.length === 1 ? 'section' : 'sections'}`;
  const body = html`<main id="main" class="guide-index"><div class="page-head"><h1>Search in the guides</h1>
${searchBox(query)}<p class="quiet">${count}. <a href="${PATH}">All guides</a></p></div>
${shown}</main>`;
  return { title: `${query} – Guides`, section: PATH, body };
}
