import { escapeHtml } from '@procurement/page-style/html';
import { Marked, type Tokens } from 'marked';
import { codeBlock } from './code-block.ts';
import { GUIDES } from './guides.ts';

/** A heading below the title, and the text under it. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly depth: number;
  /** What a search reads, without markup. */
  readonly text: string;
}

export interface RenderedGuide {
  readonly markup: string;
  readonly sections: readonly Section[];
}

/** A document as markup and as texts for the search. Its title is left out: the page has it above. */
export function rendered(markdown: string, path: string): RenderedGuide {
  let blocks = 0;
  let tables = 0;
  let heading = '';
  const renderer = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        if (depth === 1) return '';
        heading = plainText(this.parser.parseInline(tokens));
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const address = resolveLink(href, path);
        const content = this.parser.parseInline(tokens);
        return address === undefined ? content : `<a href="${escapeHtml(address)}">${content}</a>`;
      },
      code({ text, lang = '' }: Tokens.Code) {
        blocks += 1;
        return codeBlock(text, lang, `code-${blocks}`).markup;
      },
      table(token: Tokens.Table) {
        tables += 1;
        const row = (cells: readonly Tokens.TableCell[], element: 'td' | 'th'): string =>
          `<tr>${cells.map(({ tokens }) => `<${element}${element === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(tokens)}</${element}>`).join('')}</tr>`;
        const name = `Table ${tables}${heading === '' ? '' : `: ${heading}`}`;
        return `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(name)}"><table class="data-table"><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>\n`;
      },
      html: () => '',
    },
  });
  const markup = renderer.parse(markdown, { async: false });
  return { markup, sections: parseSections(markup) };
}

const HEADING = /<h([23]) id="([^"]*)">(.*?)<\/h\1>/g;

function parseSections(markup: string): readonly Section[] {
  const found = [...markup.matchAll(HEADING)];
  const textBetween = (start: number, end = markup.length): string => plainText(markup.slice(start, end));
  return [
    { id: '', title: '', depth: 1, text: textBetween(0, found[0]?.index) },
    ...found.map(({ index, 0: all, 1: depth, 2: id = '', 3: title = '' }, n) => ({
      id,
      title: plainText(title),
      depth: Number(depth),
      text: textBetween(index + all.length, found[n + 1]?.index),
    })),
  ];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

/** Markup as it is read: without elements and without the heads of code blocks. */
function plainText(markup: string): string {
  return markup
    .replaceAll(/<header>.*?<\/header>/g, '')
    .replaceAll(/<\/?(?:p|li|td|th|tr|pre|h\d)\b[^>]*>/g, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&([a-z]+|#39|#x27);/g, (all, name: string) => ENTITIES[name] ?? all)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Where a link leads on the gateway; undefined for a file that it does not serve. */
function resolveLink(href: string, path: string): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${path}`);
  const target = pathname.slice(1);
  const guide = GUIDES.find((one) => one.path === target);
  if (guide !== undefined) return `/docs/guides/${guide.name}${hash}`;
  return target === 'docs/errors.md' ? `/docs/errors${hash}` : undefined;
}

/** Makes the anchor of a heading as GitHub does. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
