import { describe, expect, it } from 'vitest';
import { writeAtom, type AtomFeed } from './atom.ts';

const FEED: AtomFeed = {
  lang: 'uk',
  title: 'Тендери',
  self: 'https://portal.example/tenders.atom?q=a&cpv=30',
  page: 'https://portal.example/tenders?q=a&cpv=30',
  updated: '2026-11-25T12:00:00Z',
  author: 'Публічні закупівлі',
  entries: [],
};
const ENTRY = {
  name: 'UA-2026-03-02-000001:3',
  day: '2026-03-02',
  title: 'Папір',
  link: 'https://portal.example/tenders/UA-2026-03-02-000001',
  updated: '2026-03-04T09:30:00+02:00',
};

describe('writeAtom', () => {
  it('writes a feed without entries, which is as new as the answer', () => {
    expect(writeAtom(FEED)).toBe(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="uk">
<title type="text">Тендери</title>
<id>tag:portal.example,2026:/tenders.atom?q=a&amp;cpv=30</id>
<updated>2026-11-25T12:00:00Z</updated>
<author><name>Публічні закупівлі</name></author>
<link rel="self" type="application/atom+xml" href="https://portal.example/tenders.atom?q=a&amp;cpv=30"/>
<link rel="alternate" type="text/html" href="https://portal.example/tenders?q=a&amp;cpv=30"/>
</feed>
`);
  });

  it('gives an entry an id that does not depend on its address, and is as new as the newest entry', () => {
    const later = { ...ENTRY, name: 'other', updated: '2026-03-04T09:00:00+01:00' };
    const text = writeAtom({ ...FEED, entries: [ENTRY, later] });
    expect(text).toContain('<id>tag:portal.example,2026-03-02:UA-2026-03-02-000001:3</id>');
    expect(/<updated>([^<]*)</.exec(text)?.[1]).toBe(later.updated);
  });

  it('escapes what would end its place, and drops characters that XML does not have', () => {
    const title = 'a</title><script>&"\u0000\ud800';
    const text = writeAtom({ ...FEED, entries: [{ ...ENTRY, title, summary: ']]>' }] });
    expect(text).toContain('<title type="text">a&lt;/title&gt;&lt;script&gt;&amp;&quot;\ufffd\ufffd</title>');
    expect(text).toContain('<summary type="text">]]&gt;</summary>');
  });
});
