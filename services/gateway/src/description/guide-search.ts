import { html, type Html } from '@procurement/page-style/html';

/** A part of a guide under one heading; the title of the first part is empty. */
export interface GuideSection {
  readonly href: string;
  readonly guide: string;
  readonly title: string;
  readonly text: string;
}

/** A section that holds all words, with the words marked. */
export interface FoundSection {
  readonly href: string;
  readonly title: Html;
  readonly excerpt: Html;
}

const FOUND_MAX = 50;
const QUERY_CHARACTERS_MAX = 256;
/** Characters before the first word, and of all of an excerpt. */
const BEFORE = 60;
const EXCERPT = 240;

/** The words of a query, in lower case, each once. */
export function splitWords(query: string): readonly string[] {
  return [...new Set(query.slice(0, QUERY_CHARACTERS_MAX).toLowerCase().split(/\s+/))].filter((word) => word !== '');
}

/** Sections that hold all words: those with the most words in their title first, then in the order of reading. */
export function findSections(sections: readonly GuideSection[], words: readonly string[]): readonly FoundSection[] {
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, title: formatTitle(section) }))
    .map((one) => ({ ...one, inTitle: words.filter((word) => one.title.toLowerCase().includes(word)).length }))
    .filter(({ section, title }) => {
      const text = `${title} ${section.text}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((one, other) => other.inTitle - one.inTitle)
    .slice(0, FOUND_MAX)
    .map(({ section: { href, text }, title }) => ({
      href,
      title: marked(title, words),
      excerpt: marked(cutExcerpt(text, words), words),
    }));
}

function formatTitle({ guide, title }: GuideSection): string {
  return title === '' ? guide : `${guide}: ${title}`;
}

/** A part of a text around the first of the words, from a blank to a blank. */
function cutExcerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length);
  const start = first <= BEFORE || first === text.length ? 0 : text.indexOf(' ', first - BEFORE) + 1;
  const end = start + EXCERPT >= text.length ? text.length : text.lastIndexOf(' ', start + EXCERPT);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

/** A text whose occurrences of the words are marked; a longer word before a shorter one that it begins with. */
function marked(text: string, words: readonly string[]): Html {
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(
    longestFirst.map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join('|'),
    'giu',
  );
  const parts: (string | Html)[] = [];
  let end = 0;
  for (const { index, 0: found } of text.matchAll(pattern)) {
    parts.push(text.slice(end, index), html`<mark>${found}</mark>`);
    end = index + found.length;
  }
  return html`${[...parts, text.slice(end)]}`;
}
