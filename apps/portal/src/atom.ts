/** An entry of a feed. All texts are plain. */
export interface AtomEntry {
  /** What the entry is about and in which state, below the date of the tag: `UA-2026-03-02-000001:3`. */
  readonly name: string;
  /** The day from which on the name is known, `2026-03-02`. */
  readonly day: string;
  readonly title: string;
  readonly link: string;
  /** An instant of RFC 3339. */
  readonly updated: string;
  readonly published?: string | undefined;
  readonly summary?: string | undefined;
  readonly author?: string | undefined;
}

export interface AtomFeed {
  readonly lang: string;
  readonly title: string;
  /** Addresses of the feed itself, and of the page that says the same. */
  readonly self: string;
  readonly page: string;
  /** When nothing is known yet: an instant. */
  readonly updated: string;
  /** Who speaks for entries without an author. */
  readonly author: string;
  readonly entries: readonly AtomEntry[];
}

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** Writes a feed of RFC 4287. Ids are tags of RFC 4151: they stay when addresses change. */
export function writeAtom({ lang, title, self, page, updated, author, entries }: AtomFeed): string {
  const { hostname: host, pathname, search } = new URL(self);
  const newest = entries.map((entry) => entry.updated).toSorted((one, other) => Date.parse(other) - Date.parse(one));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${lang}">`,
    element('title', title, ' type="text"'),
    element('id', `tag:${host},2026:${pathname}${search}`),
    element('updated', newest[0] ?? updated),
    `<author>${element('name', author)}</author>`,
    link('self', self, ' type="application/atom+xml"'),
    link('alternate', page, ' type="text/html"'),
    ...entries.map((entry) => writeEntry(entry, host)),
    '</feed>',
    '',
  ].join('\n');
}

function writeEntry({ name, day, title, link: address, updated, published, summary, author }: AtomEntry, host: string) {
  return [
    '<entry>',
    element('title', title, ' type="text"'),
    element('id', `tag:${host},${day}:${name}`),
    element('updated', updated),
    published === undefined ? '' : element('published', published),
    author === undefined ? '' : `<author>${element('name', author)}</author>`,
    link('alternate', address, ' type="text/html"'),
    summary === undefined ? '' : element('summary', summary, ' type="text"'),
    '</entry>',
  ].join('');
}

function element(name: string, text: string, attributes = ''): string {
  return `<${name}${attributes}>${escaped(text)}</${name}>`;
}

function link(rel: string, href: string, attributes: string): string {
  return `<link rel="${rel}"${attributes} href="${escaped(href)}"/>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that no document of XML 1.0 may have, not even escaped. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text.replaceAll(NOT_XML, '\ufffd').replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}
