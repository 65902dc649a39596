import type { Language } from '@procurement/page-style/time-left';

/** What all pages of the site share. */
export interface Site {
  readonly name: Readonly<Record<Language, string>>;
  /** Origin of the gateway for visitors. */
  readonly apiUrl: string;
  /** Origin of the pages. */
  readonly ownUrl: string;
  readonly auctionsUrl?: string | undefined;
  /** Hosts of files that the installation itself serves. */
  readonly fileHosts: readonly string[];
  readonly contact: string;
  readonly licence: string;
  readonly indexing: boolean;
  readonly isSandbox: boolean;
  /** Whether a visitor can play a procedure. */
  readonly canPlay: boolean;
}

/** The page that is being rendered. */
export interface PageInfo {
  readonly lang: Language;
  readonly site: Site;
  /** Path and query without the language: `/tenders?q=paper`. */
  readonly path: string;
  /** Milliseconds of the clock by which the page shows times: that of the server, or of a tender in a sandbox. */
  readonly nowMs: number;
  /** Counts a part whose data the page could not read. */
  readonly onUnread: () => void;
}

let rendered: PageInfo | undefined;

/**
 * Runs the rendering of a page, which is synchronous; its parts ask for the page by `usePage`. A context of Preact would note every part that
 * asks, for changes that never come: 0.2 MB a page outlived young garbage collections (portal.md 11).
 */
export function withPage<T>(page: PageInfo, render: () => T): T {
  const outer = rendered;
  rendered = page;
  try {
    return render();
  } finally {
    rendered = outer;
  }
}

/** The page around a part. */
export function usePage(): PageInfo {
  if (rendered === undefined) throw new Error('a part stands outside of a page');
  return rendered;
}

const ENGLISH = /^\/en(?=[/?]|$)/;

/** The language of a path of this site. */
export const languageOf = (path: string): Language => (ENGLISH.test(path) ? 'en' : 'uk');

/** A path of this site as it is in Ukrainian. */
export const withoutLanguage = (path: string): string => path.replace(ENGLISH, '') || '/';

/** A path of this site in a language: English ones begin with `/en`. */
export function pathIn(lang: Language, path: string): string {
  if (lang === 'uk') return path;
  return path === '/' ? '/en' : path.startsWith('/?') ? `/en${path.slice(1)}` : `/en${path}`;
}
