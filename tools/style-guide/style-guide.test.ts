import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sheetOfBoth, styleGuide } from './style-guide.ts';

const CSS = join(import.meta.dirname, '../../packages/page-style/css');
/** Sheets whose parts any page may use. Those of one server's pages are seen on its pages. */
const SHEETS = ['frame', 'text', 'data', 'input', 'code', 'chart'];

/** Classes that need no specimen of their own. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'columns-3-7-2': 'a layout of whole pages, as the next three',
  'columns-3-9': '',
  'columns-8-4': '',
  sticky: '',
  'page-end': 'the distance before the footer of a page',
  'skip-link': 'is seen with the focus only; a sentence stands for it',
  'narrow-only': 'shows and hides by the width, as the next two',
  'wide-only': '',
  'wide-label': '',
  hatch: 'a pattern of the running month, which its chart defines',
  'chart-section': 'distances of a section of /statistics, as the next one',
  said: '',
};
/** Kinds of words that have the colour of one that is shown. */
const HIGHLIGHTED = /^hljs-/;

describe('the style guide', () => {
  const page = styleGuide();
  const shown = new Set([...page.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')));

  it.each(SHEETS)('shows every part of %s.css', (sheet) => {
    const text = readFileSync(join(CSS, `${sheet}.css`), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
    const classes = new Set([...text.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name));
    const missing = [...classes].filter((name) => !shown.has(name) && !HIGHLIGHTED.test(name));
    expect(missing.filter((name) => LEFT_OUT[name] === undefined)).toEqual([]);
    expect(classes.size).toBeGreaterThan(5);
  });

  it('shows both schemes on one page, whatever the visitor prefers', () => {
    const sheet = 'a{b:c}:root{--bg:#fff}@media (prefers-color-scheme:dark){:root{--bg:#000}}d{e:f}';
    expect(sheetOfBoth(sheet)).toContain('.dark{color-scheme:dark;--bg:#000}');
    expect(page).not.toContain('prefers-color-scheme');
  });

  it('has the same parts in each, with ids of their own', () => {
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(4);
  });
});
