import { html, icon, type Html } from '@procurement/page-style/html';
import { EMBLEM_PATH, ICONS, TONE_ICON, type IconName, type Tone } from '@procurement/page-style/icons';

/** The parts of a group of portal.md 2.4, with all their states. */
export interface Specimens {
  readonly title: string;
  readonly parts: Readonly<Record<string, Html>>;
}

// Safe cast: the keys of the table.
const TONES = Object.keys(TONE_ICON) as Tone[];
// Safe cast: the keys of the table.
const NAMES = Object.keys(ICONS) as IconName[];
const COLOURS =
  'bg surface sunken ink quiet line edge link visited accent accent-ink focus brand brand-ink brand-mark good warn bad info series-1 series-2 series-3 series-4 series-5 series-6'.split(
    ' ',
  );
const SIZES = ['t-0', 't-1', 't-2', 't-3', 't-4', 't-5', 't-6'];

const tag = (tone: Tone, word: string): Html =>
  html`<span class="tag${tone !== 'neutral' && ` ${tone}`}">${icon(TONE_ICON[tone])}${word}</span>`;

const TITLE = 'Shelter in a school for 420 people: building works';

const tokens: Specimens = {
  title: 'Colours, type, icons',
  parts: {
    colours: html`<ul class="swatches">${COLOURS.map((name) => html`<li><svg><rect width="100%" height="100%" class="paint-${name}"/></svg><code>--${name}</code></li>`)}</ul>`,
    sizes: html`${SIZES.map((name) => html`<p class="size-${name}">Public procurement <code>--${name}</code></p>`)}`,
    icons: html`<ul class="swatches">${NAMES.map((name) => html`<li>${icon(name)} <code>${name}</code></li>`)}</ul>`,
    links: html`<p>A <a href="#none">link</a>, <code>code</code>, <span class="quiet">secondary text</span>, <span class="small">small text</span>, <mark>a found word</mark>.</p>`,
  },
};

const frame: Specimens = {
  title: 'Frame',
  parts: {
    'site-header, language': html`<div class="site-header"><div class="container"><a class="site-name" href="#none"><svg class="emblem" viewBox="0 0 26 26" aria-hidden="true"><rect x="1" y="1" width="24" height="24" rx="5"/><path d="${EMBLEM_PATH}"/></svg>Public procurement</a><a class="language" href="#none">Українська</a><nav><a href="#none" aria-current="page">Tenders</a><a href="#none">Statistics</a></nav></div></div>`,
    'sandbox-bar': html`<div class="sandbox-bar"><div class="container">This is a sandbox: nothing here is bought. <a href="#none">Play a procedure</a></div></div>`,
    breadcrumbs: html`<div class="breadcrumbs"><nav><span><a href="#none">Tenders</a></span><span> › UA-2026-11-12-000214</span></nav><nav><a href="#none">Atom</a> · <a href="#none">JSON</a></nav></div>`,
    'page-head, lead': html`<div class="page-head"><p class="title">${TITLE}</p><p class="lead">What is bought, for how much, and from whom.</p><p>${tag('good', 'Bidding')} <a href="#none">Lyceum No. 27</a></p></div>`,
    'side-nav, contents-nav': html`<div class="columns columns-6-6"><div class="side-nav"><h2>Begin</h2><ul><li><a href="#none" aria-current="page">First procedure</a></li><li><a href="#none">Keys and tokens</a></li></ul></div><div class="contents-nav"><ul><li><a href="#none">Items</a></li><li><a href="#none">Documents</a></li></ul></div></div>`,
    'skip-link': html`<p>The first link of each page, which is seen while it has the focus.</p>`,
    'site-footer': html`<div class="site-footer"><div class="container"><span>Times are in Kyiv</span><a href="#none">About the portal</a></div></div>`,
  },
};

const LIFE = [
  ['done', 'Clarifications', 'done, 19 November, 12:00', 'tick'],
  ['current', 'Bidding', 'in progress until 30 November, 12:00', undefined],
  ['ahead', 'Auction', 'to come', undefined],
  ['skipped', 'Auction', 'not held', undefined],
  ['stopped', 'Evaluation', 'stopped', 'cross'],
  ['never', 'Contract', 'will not happen', undefined],
] as const;

const state: Specimens = {
  title: 'Text and state',
  parts: {
    prose: html`<div class="prose"><p>The basement of the main building becomes a shelter. Lessons go on.</p><ul><li>Noisy works begin after 15:00.</li><li>The supplier delivers.</li></ul></div>`,
    tag: html`<p>${TONES.map((tone) => html`${tag(tone, tone)} `)}</p>`,
    notice: html`${TONES.filter((tone) => tone !== 'neutral').map((tone) => html`<div class="notice ${tone}">${icon(TONE_ICON[tone])}<div><p>A notice of the tone ${tone}. <a href="#none">What next</a></p></div></div>`)}`,
    'empty-state': html`<div class="empty-state"><p>No tender takes bids now.</p><a class="button primary" href="#none">All tenders</a></div>`,
    'error-summary': html`<div class="error-summary"><h2>The search was not made</h2><ul><li><a href="#none">Value from “ten”: write a number</a></li></ul></div>`,
    'now, time-left': html`<div class="now"><strong>Bids are accepted for <span class="time-left">5 days 1 h</span> more.</strong><p><a href="#none">How to submit a bid</a></p></div>`,
    'life-line': html`<ol class="life-line">${LIFE.map(([name, step, words, mark]) => html`<li class="${name}"><span class="mark">${mark !== undefined && icon(mark)}</span><b>${step}</b><span class="quiet">${words}</span></li>`)}</ol>`,
    figure: html`<p class="figure">UAH 1,480,000.00</p>`,
  },
};

const row = (title: string, tone: Tone, step: string): Html =>
  html`<li class="result-row"><h3><a href="#none">${title}</a></h3><span class="number figure">UAH 1,480,000.00</span><p class="row-facts quiet small"><a href="#none">Lyceum No. 27</a> · Rivne Oblast · UA-2026-11-12-000214</p><p class="small">${tag(tone, step)}<span>until 30 November 2026, 12:00</span></p></li>`;
const cells = (kind: 'th' | 'td', [first, second]: readonly [string, string]): Html =>
  kind === 'th'
    ? html`<tr><th scope="col">${first}</th><th scope="col" class="number">${second}</th></tr>`
    : html`<tr><td data-name="Item">${first}</td><td data-name="Price" class="number">${second}</td></tr>`;
const table = (name: string): Html =>
  html`<table class="data-table${name}"><thead>${cells('th', ['Item', 'Price'])}</thead><tbody>${cells('td', ['Book shelf, 2.2 m', 'UAH 4,200.00'])}${cells('td', ['Reading table', 'UAH 6,150.00'])}</tbody></table>`;

const data: Specimens = {
  title: 'Data',
  parts: {
    'card, facts': html`<div class="card"><dl class="facts"><div><dt>Expected value</dt><dd class="figure">UAH 1,480,000.00</dd></div><div><dt>Bids</dt><dd>4</dd></div></dl></div>`,
    'cards, facts stacked': html`<div class="cards"><div class="card"><dl class="facts stacked"><div><dt>Number</dt><dd>27/2026</dd></div></dl></div><div class="card">Another card</div></div>`,
    'data-table': html`<div class="scroll" tabindex="0" role="region" aria-label="Items">${table('')}</div>`,
    'data-table rows': table(' rows'),
    'result-list, result-row': html`<ol class="result-list">${row(TITLE, 'good', 'Bidding')}${row('School bus', 'warn', 'Auction')}</ol>`,
    'file-row': html`<div class="file-row"><a href="#none">Terms.pdf</a><span class="quiet small grow">PDF · 18 November 2026, 14:30</span></div>`,
    thread: html`<article class="thread"><h3>Class of the filters</h3><p>May the filters be of class F9?</p><p class="quiet small">Vent Ltd · 13 November 2026</p><div class="answer"><p class="quiet small">Answer</p><p>No. Class H13 is needed.</p></div></article>`,
    'diff-table': html`<table class="data-table diff-table rows"><thead>${cells('th', ['Before', 'Now'])}</thead><tbody><tr><td data-name="Before"><del>F9</del></td><td data-name="Now"><ins>H13</ins></td></tr></tbody></table>`,
    'results-head, sorts': html`<div class="results-head"><h2>12 tenders</h2><p class="sorts"><span class="quiet">Sort by:</span><b>relevance</b><a href="#none">newest</a></p></div>`,
    chips: html`<ul class="chips"><li><a href="#none"><span class="chip-text">Bidding</span>${icon('cross')}</a></li><li><a class="plain" href="#none">Reset all</a></li></ul>`,
    pager: html`<p class="pager"><a class="button" href="#none">Next${icon('next')}</a><span class="pager-formats"><a href="#none">Atom</a></span></p>`,
  },
};

const field = (id: string, label: string, more: Html, error?: string): Html =>
  html`<div class="field"><label for="${id}">${label}</label><input id="${id}" ${more}>${error !== undefined && html`<p class="error">${error}</p>`}</div>`;

/** `prefix`: of ids, which are on the page once for each scheme. */
const input = (prefix: string): Specimens => ({
  title: 'Input and code',
  parts: {
    'button: primary, secondary, danger, link, disabled': html`<p class="buttons"><button class="button primary">Show</button><button class="button">Play to the end</button><button class="button danger">Cancel the bid</button><button class="button plain">Clear</button><button class="button" disabled>Show</button></p>`,
    'field: hint, error': html`<div class="field-pair">${field(`${prefix}-from`, 'From', html`value="10,000"`)}${field(`${prefix}-to`, 'To', html`value="ten" aria-invalid="true"`, 'write a number')}</div><div class="field"><label for="${prefix}-select">Language</label><select id="${prefix}-select"><option>English</option></select><p class="hint">Of the pages</p></div>`,
    'filters, filter-panel, choice-list': html`<details class="filters" open><summary>Filters (1)</summary><div class="filter-panel"><fieldset><legend>Step</legend><ul class="choice-list"><li><label><input type="checkbox" checked><span>Bidding</span><span class="count">96</span></label></li><li><label><input type="checkbox"><span>Auction</span><span class="count">9</span></label></li></ul></fieldset></div></details>`,
    'search-box': html`<div class="search-box"><input aria-label="Words" placeholder="Word, number of a tender or CPV code"><button class="button primary">Find</button></div>`,
    'code-block': html`<div class="code-block"><header>JSON<button class="copy" type="button">Copy</button></header><pre tabindex="0"><code>{ <span class="hljs-attr">"title"</span>: <span class="hljs-string">"Paper"</span>, <span class="hljs-attr">"amount"</span>: <span class="hljs-number">500</span> } <span class="hljs-comment">// a note</span></code></pre></div>`,
    'exchange, method': html`<div class="exchange"><header><span>Buyer <code class="quiet">broker1</code></span><span class="exchange-status"><span class="number quiet">41 ms</span>${tag('good', '201 Created')}</span><span class="exchange-path"><span class="method write">POST</span> <code>/api/2.5/tenders</code></span></header></div><div class="exchange"><header><span>Anybody</span><span class="exchange-path"><span class="method">GET</span> <code>/api/2.5/tenders</code></span></header></div>`,
  },
});

const SERIES = [1, 2, 3, 4, 5, 6];

const charts: Specimens = {
  title: 'Charts',
  parts: {
    'chart: legend, stacked': html`<figure class="chart"><ul class="legend">${SERIES.map((n) => html`<li class="series-${n}"><span class="swatch"></span>series ${n}</li>`)}</ul><svg class="bar stacked">${SERIES.map((n) => html`<rect class="fill part series-${n}" x="${(n - 1) * 16}%" width="16%" height="100%"/>`)}</svg></figure>`,
    'chart: lines, thin values, band': html`<figure class="chart"><svg class="plot" role="img" aria-label="Lines"><line class="axis" x2="100%" y1="100%" y2="100%"/>${SERIES.map((n) => html`<g class="series-${n}"><line class="stroke${n % 2 === 0 && ' dash'}" x1="0" x2="95%" y1="${n * 14}%" y2="${n * 12}%"/><circle class="${n % 2 === 0 ? 'hollow' : 'fill'}" cx="95%" cy="${n * 12}%" r="5"/></g>`)}<g class="series-1"><rect class="band" width="95%" y="14%" height="14%"/></g><text class="strong" y="100%" dy="1.5em">2026</text></svg></figure>`,
    bars: html`<figure class="chart"><ol class="bars">${SERIES.slice(0, 3).map((n) => html`<li class="series-${n}"><span>45 Construction work</span> <span class="number">${40 - n * 10}</span><svg class="bar"><rect class="fill" width="${100 - n * 20}%" height="100%"/></svg></li>`)}</ol></figure>`,
    'bid-chart': html`<figure class="chart"><ol class="bid-chart">${['Oak Ltd', 'Form Ltd'].map((name, n) => html`<li><span class="bid-name">${name}${n === 0 && tag('good', 'Winner')}</span> <span class="number">UAH 158,200.00</span><svg class="series-1"><line class="axis" x2="100%" y1="50%" y2="50%"/><line class="expected dash" x1="90%" x2="90%" y2="100%"/><circle class="${n === 0 ? 'fill' : 'hollow'}" cx="${20 + n * 30}%" cy="50%" r="6"/></svg></li>`)}</ol><figcaption class="quiet small"><span class="dash-key"></span> Expected value</figcaption></figure>`,
  },
};

/** Every part of the sheets that pages share. */
export const specimens = (prefix: string): readonly Specimens[] => [tokens, frame, state, data, input(prefix), charts];

/** Rules for what only this page shows: a colour and a size by its name. */
export const OWN_SHEET = [
  ...COLOURS.map((name) => `.paint-${name}{fill:var(--${name})}`),
  ...SIZES.map((name) => `.size-${name}{font-size:var(--${name})}`),
  '.swatches{list-style:none;display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr))}',
  '.swatches svg:not(.icon){width:100%;height:2.5rem;border:1px solid var(--edge);display:block}',
  '.part-name{margin:2rem 0 .5rem;color:var(--quiet);font:.8125rem var(--mono)}',
  '.scheme{background:var(--bg);color:var(--ink);padding:1rem 0 3rem}',
].join('\n');
