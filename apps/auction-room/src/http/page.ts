import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** `Content-Type` of pages. */
export const HTML = 'text/html; charset=utf-8';

/** Languages of the page. */
export type Language = 'uk' | 'en';

/** What the page needs to show an auction; `page/view.js` has the members. */
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

/** `page/view.js`: the same functions render at the server and in the browser. */
interface View {
  readonly auctionPage: (
    shown: Shown & { readonly state: unknown; readonly mine?: unknown; readonly message?: string },
  ) => string;
  readonly loginPage: (
    shown: Shown & {
      readonly title: string;
      readonly bidder: string;
      readonly hash: string;
      readonly returnUrl: string;
    },
  ) => string;
  readonly listPage: (
    shown: Shown & {
      readonly lists: readonly AuctionList[];
      readonly number: string;
      readonly date: string;
      /** Of the address. */
      readonly query: Readonly<Record<string, string>>;
    },
  ) => string;
  readonly messagePage: (shown: Shown & { readonly message: string }) => string;
}

export interface Asset {
  readonly content: Buffer;
  readonly type: string;
}

/** The page: functions that make HTML, and the files that browsers load. */
export interface Page extends View {
  /** Address of the assets. Changes with their content, so browsers may keep them for a year. */
  readonly base: string;
  asset(path: string): Asset | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Reads a folder of modules, styles and images. */
export async function loadPage(folder: URL): Promise<Page> {
  const dir = fileURLToPath(folder);
  const files = readdirSync(dir).filter((name) => typeOf(name) !== undefined);
  const contents = files.toSorted().map((name) => [name, readFileSync(join(dir, name))] as const);
  const hash = createHash('sha256');
  for (const [name, content] of contents) hash.update(name).update(content);
  const version = hash.digest('hex').slice(0, 16);
  const assets: ReadonlyMap<string, Asset> = new Map(
    contents.map(([name, content]) => [`${version}/${name}`, { content, type: typeOf(name) ?? '' }] as const),
  );
  // Safe cast: the file exports these functions; a test renders all of them.
  const view = (await import(new URL('view.js', folder).href)) as View;
  return { ...view, base: `/assets/${version}`, asset: (path) => assets.get(path) };
}

function typeOf(name: string): string | undefined {
  return TYPES[name.split('.').at(-1) ?? ''];
}
