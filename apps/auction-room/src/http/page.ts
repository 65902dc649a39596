import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { StaticText } from '@procurement/kit/http/static-texts';
import { framedPage, type MenuLink } from '@procurement/page-style/frame';
import { roomSheet } from '@procurement/page-style/gen/assets';
import { Html, html } from '@procurement/page-style/html';
import { FAVICON } from '@procurement/page-style/icons';

/** `Content-Type` of pages. */
export const HTML = 'text/html; charset=utf-8';

/** Languages of the page. */
export type Language = 'uk' | 'en';

interface Shown {
  readonly lang: Language;
  readonly base: string;
}

/** Auctions in the order of their start. */
export interface AuctionList {
  /** Absent for the auctions of a number. */
  readonly date?: string;
  readonly auctions: readonly unknown[];
  /** The query of the next page. */
  readonly next?: string;
}

/** What each page shows. */
interface ShownBy {
  readonly auctionPage: Shown & { readonly state: unknown; readonly mine?: unknown; readonly message?: string };
  readonly loginPage: Shown & {
    readonly title: string;
    readonly bidder: string;
    readonly hash: string;
    readonly returnUrl: string;
  };
  readonly listPage: Shown & {
    readonly lists: readonly AuctionList[];
    readonly number: string;
    readonly date: string;
    /** The day at the server. */
    readonly today: string;
    /** Query of the address. */
    readonly query: Readonly<Record<string, string>>;
  };
  readonly messagePage: Shown & { readonly message: string };
}

/** What `page/view.js`, whose functions render in the browser too, and `page/pages.js` make of it. */
interface Content {
  readonly title: string;
  /** HTML of `main`. */
  readonly main: string;
  /** What the address has besides its language. */
  readonly query?: Readonly<Record<string, string>>;
  readonly script?: string;
  /** How often a browser without JavaScript loads the page anew. */
  readonly refreshSeconds?: number;
  readonly data?: Readonly<Record<string, string>>;
}
type Views = {
  readonly [Name in keyof ShownBy]: (shown: ShownBy[Name] & { readonly portal: string | undefined }) => Content;
};
type Words = (lang: Language, key: string) => string;

/** Functions that make HTML, and the files that browsers load. */
export type Page = { readonly [Name in keyof ShownBy]: (shown: ShownBy[Name]) => string } & {
  /** Address of the modules. Changes with their content, so browsers may keep them for a year. */
  readonly base: string;
  readonly assets: readonly StaticText[];
};

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const LANGUAGES: Readonly<Record<Language, string>> = { uk: 'Українська', en: 'English' };

/** Reads the folder of modules. `portal`: where header and footer lead, and the numbers of tenders. */
export async function loadPage(folder: URL, portal?: string): Promise<Page> {
  const dir = fileURLToPath(folder);
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const contents = files.toSorted().map((name) => [name, readFileSync(join(dir, name), 'utf8')] as const);
  const hash = createHash('sha256');
  for (const [name, content] of contents) hash.update(name).update(content);
  const version = hash.digest('hex').slice(0, 16);
  const assets: readonly StaticText[] = [
    ...contents.map(([name, body]) => ({ name: `${version}/${name}`, type: JAVASCRIPT, body })),
    roomSheet,
    { name: `${version}/favicon.svg`, type: 'image/svg+xml', body: FAVICON },
  ];
  const load = async (name: string): Promise<unknown> => import(new URL(name, folder).href);
  // Safe casts: the files export these functions; a test renders all of them.
  const views = { ...((await load('view.js')) as object), ...((await load('pages.js')) as object) } as Views;
  const { text } = (await load('texts.js')) as { readonly text: Words };
  const base = `/assets/${version}`;
  const framed =
    <Name extends keyof ShownBy>(name: Name) =>
    (shown: ShownBy[Name]): string =>
      frame(views[name]({ ...shown, portal }), { lang: shown.lang, base, portal, text });
  return {
    auctionPage: framed('auctionPage'),
    loginPage: framed('loginPage'),
    listPage: framed('listPage'),
    messagePage: framed('messagePage'),
    base,
    assets,
  };
}

interface Framing extends Shown {
  readonly portal: string | undefined;
  readonly text: Words;
}

function frame({ title, main, query, script, refreshSeconds, data }: Content, framing: Framing): string {
  const { lang, base, text } = framing;
  const other = lang === 'uk' ? 'en' : 'uk';
  const auctions = { href: '/', text: text(lang, 'auctions'), isCurrent: true };
  return framedPage({
    lang,
    title,
    site: { href: portalAddress(framing, '/') ?? '/', text: text(lang, 'site') },
    menu: [
      ...portalLinks(framing, { tenders: '/tenders' }),
      auctions,
      ...portalLinks(framing, { statistics: '/statistics' }),
    ],
    other: { href: `?${new URLSearchParams({ ...query, lang: other })}`, text: LANGUAGES[other], lang: other },
    sheets: [`/assets/${roomSheet.name}`],
    ...(script === undefined ? {} : { script: `${base}/${script}` }),
    favicon: `${base}/favicon.svg`,
    head:
      refreshSeconds !== undefined &&
      html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`,
    ...(data === undefined ? {} : { data }),
    body: html`<main id="main">${new Html(main)}</main>`,
    footer: [
      { href: '/', text: text(lang, 'allAuctions') },
      ...portalLinks(framing, { about: '/about', takePart: '/take-part', accessibility: '/accessibility' }),
    ],
  });
}

/** `paths` by the key of their text; nothing without a portal. */
function portalLinks(framing: Framing, paths: Readonly<Record<string, string>>): readonly MenuLink[] {
  return Object.entries(paths).flatMap(([key, path]) => {
    const href = portalAddress(framing, path);
    return href === undefined ? [] : [{ href, text: framing.text(framing.lang, key) }];
  });
}

/** A page of the portal in the language of this one. */
function portalAddress({ portal, lang }: Framing, path: string): string | undefined {
  if (portal === undefined) return undefined;
  if (lang === 'uk') return portal + path;
  return `${portal}/en${path === '/' ? '' : path}`;
}
