import { EMBLEM_PATH } from '@procurement/page-style/icons';
import { pageScript, portalSheet } from '@procurement/page-style/gen/assets';
import type { ComponentChildren, VNode } from 'preact';
import { formatInstant } from '../format/instant.ts';
import { FRAME } from '../texts/frame.ts';
import { Notice, OwnLink } from './basics.tsx';
import { pathIn, usePage } from './page-context.ts';

export const ASSET_FOLDER = '/assets/';

/** What a page says about itself, beside its content. */
export interface PageHead {
  /** The title of the window: what the page is about. The name of the site is added. */
  readonly title: string;
  readonly description?: string | undefined;
  /** The entry of the menu that is marked as the current one. */
  readonly section?: 'tenders' | 'contracts' | 'statistics';
  /** The way to this page; the last entry has no path. */
  readonly breadcrumbs?: readonly { readonly text: ComponentChildren; readonly path?: string }[];
  /** The same in other formats. */
  readonly formats?: readonly { readonly text: string; readonly href: string; readonly type: string }[];
  readonly noIndex?: boolean;
}

export interface DocumentProps extends PageHead {
  /** Instant of kept answers, which the page shows because the API is away. */
  readonly asOf?: string | undefined;
  readonly children?: ComponentChildren;
}

/** The whole document around a page. */
export function Document(props: DocumentProps): VNode {
  const { title, description, formats = [], noIndex = false, breadcrumbs, asOf, children } = props;
  const { lang, site, nowMs } = usePage();
  const name = site.name[lang];
  return (
    <html lang={lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title === name ? name : `${title} – ${name}`}</title>
        {description !== undefined && <meta name="description" content={description} />}
        {(noIndex || !site.indexing) && <meta name="robots" content="noindex" />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={ASSET_FOLDER + portalSheet.name} />
        {formats.map((format) => (
          <link key={format.href} rel="alternate" type={format.type} href={format.href} title={format.text} />
        ))}
        <script type="module" src={ASSET_FOLDER + pageScript.name} />
      </head>
      <body data-now={new Date(nowMs).toISOString()}>
        <a class="skip-link" href="#main">
          {FRAME[lang].skip}
        </a>
        <Header {...props} />
        {site.isSandbox && <SandboxBar />}
        <div class="container page-end">
          {breadcrumbs !== undefined && <Breadcrumbs breadcrumbs={breadcrumbs} formats={formats} />}
          <main id="main">
            {asOf !== undefined && (
              <Notice tone="warn">
                <p>{FRAME[lang].kept(formatInstant(asOf, lang))}</p>
              </Notice>
            )}
            {children}
          </main>
        </div>
        <Footer />
      </body>
    </html>
  );
}

function Header({ section }: PageHead): VNode {
  const { lang, site, path } = usePage();
  const t = FRAME[lang];
  const other = lang === 'uk' ? 'en' : 'uk';
  const current = (name: PageHead['section']): { 'aria-current'?: 'page' } =>
    section === name ? { 'aria-current': 'page' } : {};
  return (
    <header class="site-header">
      <div class="container">
        <a class="site-name" href={pathIn(lang, '/')}>
          <svg class="emblem" viewBox="0 0 26 26" aria-hidden="true">
            <rect x="1" y="1" width="24" height="24" rx="5" />
            <path d={EMBLEM_PATH} />
          </svg>
          {site.name[lang]}
        </a>
        <a class="language" href={pathIn(other, path)} lang={other} hreflang={other}>
          {t.otherLanguage}
        </a>
        <nav aria-label={t.menu}>
          <a href={pathIn(lang, '/tenders')} {...current('tenders')}>
            {t.tenders}
          </a>
          <a href={pathIn(lang, '/contracts')} {...current('contracts')}>
            {t.contracts}
          </a>
          {site.auctionsUrl !== undefined && <a href={site.auctionsUrl}>{t.auctions}</a>}
          <a href={pathIn(lang, '/statistics')} {...current('statistics')}>
            {t.statistics}
          </a>
          <a href={`${site.apiUrl}/docs/guides`} {...(lang === 'uk' ? { hreflang: 'en' } : {})}>
            {t.developers}
          </a>
        </nav>
      </div>
    </header>
  );
}

function SandboxBar(): VNode {
  const { lang, site } = usePage();
  const t = FRAME[lang];
  return (
    <aside class="sandbox-bar" aria-label={t.sandbox}>
      <div class="container">
        {t.sandboxText} {site.canPlay && <OwnLink to="/play">{t.play}</OwnLink>}
      </div>
    </aside>
  );
}

function Breadcrumbs({ breadcrumbs = [], formats = [] }: Pick<PageHead, 'breadcrumbs' | 'formats'>): VNode {
  const { lang } = usePage();
  return (
    <div class="breadcrumbs">
      <nav aria-label={FRAME[lang].whereYouAre}>
        {breadcrumbs.map(({ text, path }, n) => (
          <span key={path ?? n}>
            {n > 0 && ' › '}
            {path === undefined ? <span aria-current="page">{text}</span> : <OwnLink to={path}>{text}</OwnLink>}
          </span>
        ))}
      </nav>
      {formats.length > 0 && (
        <nav aria-label={FRAME[lang].formats}>
          {formats.map(({ text, href }, n) => (
            <span key={href}>
              {n > 0 && ' · '}
              <a href={href}>{text}</a>
            </span>
          ))}
        </nav>
      )}
    </div>
  );
}

function Footer(): VNode {
  const { lang, site, path, nowMs } = usePage();
  const t = FRAME[lang];
  return (
    <footer class="site-footer">
      <div class="container">
        <span class="print-only">
          {site.ownUrl + pathIn(lang, path)} · {formatInstant(new Date(nowMs).toISOString(), lang)}
        </span>
        <span>{t.zone}</span>
        <OwnLink to="/about">{t.about}</OwnLink>
        <OwnLink to="/take-part">{t.takePart}</OwnLink>
        <OwnLink to="/data">{t.data}</OwnLink>
        <OwnLink to="/accessibility">{t.accessibility}</OwnLink>
        <a href={`${site.apiUrl}/docs`}>{t.api}</a>
      </div>
    </footer>
  );
}
