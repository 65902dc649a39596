import { EMBLEM_PATH } from './icons.ts';
import { html, type Html, type Shown } from './html.ts';
import type { Language } from './time-left.ts';

export interface MenuLink {
  readonly href: string;
  readonly text: string;
  readonly isCurrent?: boolean;
}

/** A page of the common frame. */
export interface FramedPage {
  readonly lang: Language;
  readonly title: string;
  /** Name of the site, and where it leads. */
  readonly site: MenuLink;
  readonly menu: readonly MenuLink[];
  /** The same page in the other language. */
  readonly other?: MenuLink & { readonly lang: Language };
  readonly sheets: readonly string[];
  readonly script?: string;
  readonly favicon: string;
  /** More elements of `head`. */
  readonly head?: Shown;
  /** `data-` attributes of `body`, by name, for scripts. */
  readonly data?: Readonly<Record<string, string>>;
  /** Content between header and footer: `main` and what stands beside it. */
  readonly body: Shown;
  readonly footer: readonly MenuLink[];
}

const WORDS = {
  uk: { skip: 'До змісту', menu: 'Головне меню' },
  en: { skip: 'Skip to content', menu: 'Main menu' },
} as const;

/** The whole document. The page's `main` has the id `main`. */
export function framedPage(page: FramedPage): string {
  const { lang, title, site, sheets, script, favicon, head, data = {}, body, footer } = page;
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === site.text ? title : `${title} – ${site.text}`}</title>
<link rel="icon" href="${favicon}" type="image/svg+xml">
${sheets.map((sheet) => html`<link rel="stylesheet" href="${sheet}">`)}
${script !== undefined && html`<script type="module" src="${script}"></script>`}${head}
</head>
<body${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}>
<a class="skip-link" href="#main">${WORDS[lang].skip}</a>
${siteHeader(page)}
<div class="container page-end">
${body}
</div>
<footer class="site-footer"><div class="container">${footer.map(menuLink)}</div></footer>
</body>
</html>
`.markup;
}

function siteHeader({ lang, site, menu, other }: FramedPage): Html {
  return html`<header class="site-header"><div class="container">
<a class="site-name" href="${site.href}"><svg class="emblem" viewBox="0 0 26 26" aria-hidden="true"><rect x="1" y="1" width="24" height="24" rx="5"/><path d="${EMBLEM_PATH}"/></svg>${site.text}</a>
${other !== undefined && html`<a class="language" href="${other.href}" lang="${other.lang}" hreflang="${other.lang}">${other.text}</a>`}
<nav aria-label="${WORDS[lang].menu}">${menu.map(menuLink)}</nav>
</div></header>`;
}

function menuLink({ href, text, isCurrent }: MenuLink): Html {
  return html`<a href="${href}"${isCurrent === true && html` aria-current="page"`}>${text}</a>`;
}
