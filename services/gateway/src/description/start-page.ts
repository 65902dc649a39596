import { html, type Html } from '@procurement/page-style/html';
import type { FastifyInstance } from 'fastify';
import { SANDBOX_BROKERS } from '../auth/sandbox-keys.ts';
import type { DescriptionDeps } from './deps.ts';
import type { Pages } from './page-frame.ts';
import { namesHtml, portalPath } from './portal-address.ts';

const DESCRIPTION =
  'Brokers publish tenders, ask questions, bid, award and sign through one HTTP interface, the OpenProcurement API. Everything that is public can be read without a key.';

const PAGES = [
  {
    href: '/docs/guides',
    name: 'Guides',
    about: 'From a first procedure to the limits, with requests that work as they are shown.',
  },
  { href: '/docs', name: 'Reference', about: 'Every operation of every segment, with requests to send from the page.' },
  { href: '/docs/errors', name: 'Errors', about: 'What each refusal means, why it comes, and what to do about it.' },
] as const;
const PORTAL = 'Tenders, buyers and contracts for people to read.';

const FILES = [
  { href: '/openapi.json', name: 'OpenAPI document', about: 'of segment 2.5' },
  { href: '/api/2.5/spore', name: 'SPORE description', about: 'of segment 2.5, for generic clients' },
  { href: '/health', name: 'Health', about: 'of this installation' },
] as const;

/** `/`: browsers go to the portal, where there is one; everybody else gets a small page (portal.md 1.2). */
export function registerStartPage(
  app: FastifyInstance,
  { responseSettings }: Pick<DescriptionDeps, 'responseSettings'>,
  pages: Pages,
): void {
  app.get('/', async (request, reply) => {
    const place = pages.placeOf(request);
    if (place.portal !== undefined && namesHtml(request)) {
      void reply.headers({ vary: 'Accept, Accept-Language', 'cache-control': 'no-store' });
      return reply.redirect(place.portal + portalPath(request), 302);
    }
    void reply.header('vary', 'Accept, Accept-Language, Accept-Encoding');
    const body = startPage(place.portal, responseSettings.sandbox);
    return pages.send(request, reply, pages.framed({ title: 'Public procurement', body }, place));
  });
}

function startPage(portal: string | undefined, isSandbox: boolean): Html {
  const cards = [...(portal === undefined ? [] : [{ href: `${portal}/en`, name: 'Portal', about: PORTAL }]), ...PAGES];
  return html`<main id="main">
<div class="page-head"><h1>Public procurement tender service</h1><p class="lead">${DESCRIPTION}</p></div>
<ul class="cards link-cards">${cards.map(
    ({ href, name, about }) => html`<li class="card"><h2><a href="${href}">${name}</a></h2><p>${about}</p></li>`,
  )}</ul>
${isSandbox && SANDBOX_KEYS}
<section><h2>For programs</h2><ul class="plain-list">${FILES.map(
    ({ href, name, about }) => html`<li><a href="${href}">${name}</a> ${about}</li>`,
  )}</ul></section>
</main>`;
}

/** Everybody may know the keys of a sandbox (rulings R14). */
const SANDBOX_KEYS = html`<section><h2>Keys of this sandbox</h2>
<p class="measure">All data here are made up. A key is the user name of Basic authentication, without a password.</p>
<div class="keys"><table class="data-table"><thead><tr><th scope="col">Key</th><th scope="col">Group</th><th scope="col">Levels</th></tr></thead>
<tbody>${SANDBOX_BROKERS.map(
  ({ name, group, levels }) =>
    html`<tr><td><code>${name}</code></td><td>${group}</td><td>${levels === '' ? '–' : html`<code>${levels}</code>`}</td></tr>`,
)}</tbody></table></div></section>`;
