import { STATUS_CODES } from 'node:http';
import type { CatalogueEntry, CatalogueSection } from '@procurement/contracts/problems/catalogue';
import { FAULTS } from '@procurement/contracts/problems/problems';
import { html, withCode, type Html } from '@procurement/page-style/html';
import { codeBlock } from './code-block.ts';

const WHAT_IS_AT_FAULT = 'Says what is wrong with the member, for each part of it.';

/** Everything between header and footer of the catalogue of errors, to which each error links (portal.md 8.2). */
export function errorsView(sections: readonly CatalogueSection[]): Html {
  const statuses = html`<ul>${sections.map(
    ({ status, entries }) =>
      html`<li><a href="#status-${status}"><b>${status}</b> ${STATUS_CODES[status]} <span class="count">${entries.length}</span></a></li>`,
  )}</ul>`;
  return html`<div class="columns columns-3-9">
<div>
<details class="narrow-only side-nav"><summary>All statuses</summary><nav aria-label="Statuses">${statuses}</nav></details>
<nav class="wide-only side-nav sticky" aria-labelledby="statuses-title"><h2 id="statuses-title">By status</h2>${statuses}</nav>
</div>
<main id="main" class="catalogue">
<div class="page-head"><h1>Errors</h1>
<p class="lead">Every refusal of the API, with its cause and what to do about it. On segment 2.5 each error has its <code>code</code>, the <code>pointer</code> to the member at fault, and the <code>link</code> to its entry here.</p>
<div class="field filter"><label for="filter">Filter by code, word or status</label><input id="filter" type="search" data-filter=".entry" autocomplete="off" spellcheck="false"></div></div>
${sections.map(statusSection)}
<p class="empty-state no-entry">No entry has all of these words.</p>
</main>
</div>`;
}

function statusSection({ status, advice, entries }: CatalogueSection): Html {
  return html`<section id="status-${status}" data-filter-group><h2>${status} ${STATUS_CODES[status]}</h2><p class="measure">${withCode(advice)}</p>
${entries.map((entry) => entryView(entry, status))}</section>
`;
}

function entryView(entry: CatalogueEntry, status: number): Html {
  const { code, location, name, description, pointer, cause, remedy, example } = entry;
  const shown = JSON.stringify(JSON.parse(example), undefined, 2);
  return html`<article class="entry" id="${code}" aria-labelledby="title-${code}">
<h3 id="title-${code}"><a href="#${code}"><code>${code}</code></a> <span class="tag">${status}</span></h3>
<dl>
<div><dt>Means</dt><dd>${description === FAULTS.description ? WHAT_IS_AT_FAULT : description}</dd></div>
<div><dt>Points to</dt><dd><code>${location}</code> / <code>${name}</code>${pointer !== undefined && html`, member <code>${pointer}</code>`}</dd></div>
<div><dt>Cause</dt><dd>${withCode(cause)}</dd></div>
<div><dt>Remedy</dt><dd>${withCode(remedy)}</dd></div>
</dl>
${codeBlock(shown, 'json', `example-${code}`)}</article>
`;
}
