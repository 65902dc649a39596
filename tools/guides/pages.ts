import { Marked, type Tokens } from 'marked';

/** A document that the gateway serves as a page. */
export interface Guide {
  /** Path in the repository. */
  readonly path: string;
  /** Last part of the address of the page. */
  readonly name: string;
  readonly markdown: string;
}

const LINKS =
  '<link rel="icon" href="/docs/assets/favicon-32x32.png"><link rel="stylesheet" href="/landing/assets/style.css">';

/** `# Title` of a guide. */
export function titleOf({ markdown }: Guide): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

/** The page of a guide, with links to all guides. It has no script. */
export function pageOf(guide: Guide, guides: readonly Guide[]): string {
  const links = guides.map((one) => `<a href="/docs/guides/${one.name}">${escaped(titleOf(one))}</a>`);
  const nav = `<nav aria-label="Guides"><p><a href="/">Start</a> · <a href="/docs">Reference</a> · ${links.join(' · ')}</p></nav>`;
  return page(titleOf(guide), `<header>${nav}</header>\n<main>\n${bodyOf(guide, guides)}</main>`);
}

/** The list of all guides. */
export function indexOf(guides: readonly Guide[]): string {
  const items = guides.map((guide) => `<li><a href="/docs/guides/${guide.name}">${escaped(titleOf(guide))}</a></li>`);
  return page('Guides', `<main><h1>Guides</h1><ul>${items.join('')}</ul><p><a href="/docs">Reference</a></p></main>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>${LINKS}</head>
<body>
${body}
</body>
</html>
`;
}

function bodyOf({ path, markdown }: Guide, guides: readonly Guide[]): string {
  const renderer = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const address = addressOf(href, path, guides);
        const content = this.parser.parseInline(tokens);
        return address === undefined ? content : `<a href="${escaped(address)}">${content}</a>`;
      },
      html: () => '',
    },
  });
  return renderer.parse(markdown, { async: false });
}

/** Where a link leads on the gateway; undefined for a file that it does not serve. */
function addressOf(href: string, path: string, guides: readonly Guide[]): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${path}`);
  const target = pathname.slice(1);
  const guide = guides.find((one) => one.path === target);
  if (guide !== undefined) return `/docs/guides/${guide.name}${hash}`;
  return target === 'docs/errors.md' ? `/docs/errors${hash}` : undefined;
}

/** As GitHub makes anchors of headings. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
