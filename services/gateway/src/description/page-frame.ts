import { framedPage, type MenuLink } from '@procurement/page-style/frame';
import { docsSheet, pageScript, referenceScript, referenceSheet } from '@procurement/page-style/gen/assets';
import type { Shown } from '@procurement/page-style/html';
import { FAVICON } from '@procurement/page-style/icons';
import { registerStaticTexts } from '@procurement/kit/http/static-texts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DescriptionDeps } from './deps.ts';
import { hostOf, type AddressedRequest } from '@procurement/kit/http/host-of';
import { splitTarget } from '../request/request-target.ts';
import { portalAddress } from './portal-address.ts';

/** The folder of all scripts and sheets of the pages, which has no answers of the API. */
export const ASSET_FOLDER = '/docs/assets/';

/** Where a visitor sees a page: the addresses in it follow the request. */
export interface PagePlace {
  /** Scheme and host of the API. */
  readonly base: string;
  readonly portal?: string;
}

/** What a page adds to the frame. */
export interface PageContent {
  readonly title: string;
  /** The entry of the menu that the page belongs to. */
  readonly section?: string;
  readonly body: Shown;
  readonly head?: Shown;
  /** Names of sheets in the asset folder; without them the sheet of the guides. */
  readonly sheets?: readonly string[];
}

/** Frame, addresses and headers that all pages of the gateway share (portal.md 8). */
export interface Pages {
  placeOf(request: FastifyRequest): PagePlace;
  framed(content: PageContent, place: PagePlace): string;
  /** Type and policy. `policy`: what the page needs beside the common policy. */
  headersFor(request: AddressedRequest, policy?: PolicyParts): Readonly<Record<string, string>>;
  send(request: FastifyRequest, reply: FastifyReply, page: string, policy?: PolicyParts): FastifyReply;
}

const HTML_TYPE = 'text/html; charset=UTF-8';
const MENU: readonly MenuLink[] = [
  { href: '/docs/guides', text: 'Guides' },
  { href: '/docs', text: 'Reference' },
  { href: '/docs/errors', text: 'Errors' },
];
const FOOTER: readonly MenuLink[] = [
  { href: '/openapi.json', text: 'OpenAPI' },
  { href: '/api/2.5/spore', text: 'SPORE' },
  { href: '/health', text: 'Health' },
];

export function makePages({ config, responseSettings }: Pick<DescriptionDeps, 'config' | 'responseSettings'>): Pages {
  const { followsRequest, base: ownBase } = responseSettings;
  const ownHost = followsRequest ? undefined : new URL(ownBase).host;
  const headersFor = (request: AddressedRequest, policy?: PolicyParts): Readonly<Record<string, string>> => ({
    'content-type': HTML_TYPE,
    'content-security-policy': pagePolicy(request, ownHost, policy),
  });
  return {
    placeOf: (request) => {
      const portal = portalAddress(config.PORTAL_PUBLIC_URL, request);
      return { base: request.context.publicBase ?? ownBase, ...(portal === undefined ? {} : { portal }) };
    },
    framed: ({ title, section, body, head, sheets = [docsSheet.name] }, { portal }) =>
      framedPage({
        lang: 'en',
        title,
        site: { href: '/', text: 'Public procurement' },
        menu: [
          ...(portal === undefined ? [] : [{ href: `${portal}/en`, text: 'Portal' }]),
          ...MENU.map((link) => ({ ...link, isCurrent: link.href === section })),
        ],
        sheets: sheets.map((name) => ASSET_FOLDER + name),
        script: ASSET_FOLDER + pageScript.name,
        favicon: '/favicon.svg',
        ...(head === undefined ? {} : { head }),
        body,
        footer: FOOTER,
      }),
    headersFor,
    send: (request, reply, page, policy) => reply.headers(headersFor(request, policy)).send(page),
  };
}

/** Sources of a policy by directive. */
type PolicyParts = Readonly<Record<string, string>>;

/** Where browsers know Trusted Types, only the policy of the pages' script makes markup of texts. */
const TRUSTED_TYPES: PolicyParts = { 'require-trusted-types-for': "'script'", 'trusted-types': 'page' };

/**
 * Scripts and sheets come from the asset folder only: `'self'` would allow JSONP answers, which are scripts of the same origin (ruling
 * R30). A source with a path needs a host; without a scheme it matches that of the page.
 */
function pagePolicy(
  request: AddressedRequest,
  ownHost: string | undefined,
  { 'style-src': styles = '', ...more }: PolicyParts = TRUSTED_TYPES,
): string {
  // A proxy may hide the host that the browser uses, and operators may use another one than brokers.
  const hosts = [...new Set([ownHost, hostOf(request)])].filter((host) => host !== undefined);
  // A source cannot name an IPv6 address. A JSONP answer is no sheet, so that the page has its look at least.
  const named = hosts.filter((host) => !host.startsWith('['));
  const folders = named.map((host) => host + ASSET_FOLDER);
  const sheets = named.length < hosts.length ? "'self'" : folders.join(' ');
  return Object.entries({
    'default-src': "'none'",
    'script-src': folders.length === 0 ? "'none'" : folders.join(' '),
    'style-src': `${sheets} ${styles}`.trim(),
    'img-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    ...more,
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/** People type these; they lead to the form without the slash. */
export const PAGES_WITH_SLASH: ReadonlySet<string> = new Set(MENU.map(({ href }) => `${href}/`));

const ROBOTS = 'User-agent: *\nAllow: /docs\nDisallow: /\n';

/** What the pages load, and what browsers and crawlers ask for by themselves. */
export function registerPageFiles(app: FastifyInstance): void {
  registerStaticTexts(app, ASSET_FOLDER, [docsSheet, referenceSheet, pageScript, referenceScript]);
  for (const path of PAGES_WITH_SLASH)
    app.get(path, async (request, reply) => {
      const { query } = splitTarget(request.raw.url ?? '');
      return reply.redirect(path.slice(0, -1) + (query === '' ? '' : `?${query}`), 301);
    });
  app.get('/favicon.svg', async (_request, reply) =>
    reply.headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' }).send(FAVICON),
  );
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/favicon.svg', 301));
  app.get('/robots.txt', async (_request, reply) =>
    reply.header('content-type', 'text/plain; charset=UTF-8').send(ROBOTS),
  );
}
