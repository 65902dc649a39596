import { describe, expect, it } from 'vitest';
import { findSections, splitWords, type GuideSection } from './guide-search.ts';

const section = (title: string, text: string): GuideSection => ({ href: `#${title}`, guide: 'Guide', title, text });
const SECTIONS = [
  section('Feed', 'The token of a page is <opaque>. The page is short.'),
  section('Owner tokens', 'An owner keeps it.'),
  section('', 'Nothing here.'),
];
const find = (query: string) =>
  findSections(SECTIONS, splitWords(query)).map(({ href, title, excerpt }) => [href, title.markup, excerpt.markup]);

describe('a search in the guides', () => {
  it('finds sections that hold all words, titles first, with the words marked and the rest escaped', () => {
    expect(find('TOKEN')).toEqual([
      ['#Owner tokens', 'Guide: Owner <mark>token</mark>s', 'An owner keeps it.'],
      ['#Feed', 'Guide: Feed', 'The <mark>token</mark> of a page is &lt;opaque&gt;. The page is short.'],
    ]);
    expect(find('token owner').map(([href]) => href)).toEqual(['#Owner tokens']);
    expect(find('token absent')).toEqual([]);
  });

  it('takes words as they are written, not as patterns', () => {
    expect(find('<opaque>.').map(([, , excerpt]) => excerpt)).toEqual([
      'The token of a page is <mark>&lt;opaque&gt;.</mark> The page is short.',
    ]);
    expect(find('.*')).toEqual([]);
  });

  it('finds nothing for blanks, and reads the first 256 characters of a query only', () => {
    expect(find('  ')).toEqual([]);
    expect(splitWords(`a ${'b '.repeat(200)}c`)).toEqual(['a', 'b']);
  });

  it('cuts a long text around the first word', () => {
    const [found] = findSections([section('Long', `${'before '.repeat(50)}needle${' after'.repeat(100)}`)], ['needle']);
    expect(found?.excerpt.markup).toMatch(/^… (before )+<mark>needle<\/mark>( after)+ …$/);
    expect(found?.excerpt.markup.length).toBeLessThan(300);
  });
});
