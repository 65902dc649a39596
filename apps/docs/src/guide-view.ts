import { Html, html, icon } from '@procurement/page-style/html';
import type { RenderedGuide } from './guide.ts';
import { GROUPS, GUIDES, type Guide } from './guides.ts';

const PATH = '/docs/guides';
const addressOf = ({ name }: Guide): string => `${PATH}/${name}`;

/** Everything between header and footer of the page of a guide. */
export function guideView(guide: Guide, { markup, sections }: RenderedGuide): Html {
  const contents = sections.filter(({ id }) => id !== '');
  const list = html`<ul>${contents.map(
    ({ id, title, depth }) => html`<li class="depth-${depth}"><a href="#${id}">${title}</a></li>`,
  )}</ul>`;
  return html`<div class="columns columns-3-7-2">
<div>
<details class="narrow-only side-nav"><summary>All guides</summary>${sideNav(guide)}</details>
<div class="wide-only side-nav sticky">${sideNav(guide)}</div>
</div>
<main id="main">
<div class="page-head"><h1>${guide.title}</h1></div>
${contents.length > 1 && html`<details class="narrow-only contents-nav"><summary>On this page</summary><nav aria-label="On this page">${list}</nav></details>`}
<div class="prose">
${new Html(markup)}</div>
${neighbours(guide)}
</main>
<div>${contents.length > 1 && html`<nav class="wide-only contents-nav sticky" aria-labelledby="contents-title"><h2 id="contents-title">On this page</h2>${list}</nav>`}</div>
</div>`;
}

function sideNav(current: Guide): Html {
  return html`<nav aria-label="Guides">${GROUPS.map(
    ({ title, guides }) =>
      html`<h2>${title}</h2><ul>${guides.map(
        (guide) =>
          html`<li><a href="${addressOf(guide)}"${guide === current && html` aria-current="page"`}>${guide.title}</a></li>`,
      )}</ul>`,
  )}</nav>`;
}

/** Links to the guide before and the guide after. */
function neighbours(guide: Guide): Html {
  const at = GUIDES.indexOf(guide);
  const [before, after] = [GUIDES[at - 1], GUIDES[at + 1]];
  return html`<nav class="guide-ends" aria-label="Previous and next guide">${
    before !== undefined && html`<a rel="prev" href="${addressOf(before)}"><span>Previous</span>${before.title}</a>`
  }${after !== undefined && html`<a rel="next" href="${addressOf(after)}"><span>Next</span>${after.title}${icon('next')}</a>`}</nav>`;
}

/** The list of all guides, for their first page. */
export function guideList(): Html {
  return html`${GROUPS.map(
    ({ title, guides }) =>
      html`<section><h2>${title}</h2><ul class="guide-list">${guides.map(
        (guide) => html`<li><h3><a href="${addressOf(guide)}">${guide.title}</a></h3><p>${guide.about}</p></li>`,
      )}</ul></section>`,
  )}`;
}
