import { errorCatalogue } from '@procurement/contracts/problems/catalogue';
import { problems } from '@procurement/contracts/problems/problems';
import { expect, it } from 'vitest';
import { errorsView } from './errors-view.ts';

const page = errorsView(errorCatalogue()).markup;

it('the catalogue has status, meaning, place, cause, remedy and an example at the anchor of every code', () => {
  for (const [code, { status }] of Object.entries(problems)) {
    const [, entry = ''] = page.split(`<article class="entry" id="${code}"`);
    expect(entry.slice(0, entry.indexOf('</article>')), code).toMatch(
      new RegExp(
        `class="tag">${status}<.*<dt>Means<.*<dt>Points to<.*<dt>Cause<.*<dt>Remedy<.*<code id="example-`,
        's',
      ),
    );
  }
});

it('every status has an entry, and leads to its section', () => {
  for (const { status, entries } of errorCatalogue()) {
    expect(entries.length, String(status)).toBeGreaterThan(0);
    expect(page).toContain(`<a href="#status-${status}">`);
    expect(page).toContain(`<section id="status-${status}" data-filter-group>`);
  }
});
