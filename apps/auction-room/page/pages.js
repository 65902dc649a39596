// The pages without a script of their own: the list of auctions, consent, messages. They render at the server only.
import { html } from './gen/markup.js';
import { dayOfWeek, moment, shortMoment } from './format.js';
import { columnHead, notice, tag, translation } from './markup.js';
import { text } from './texts.js';

const PHASE_TONES = { running: 'good', finished: 'info', cancelled: 'bad', missed: 'warn', conflict: 'warn' };

/** `message` is the key of what is said; a key with `Hint` says what to do. */
export function messagePage({ lang, message }) {
  const said = text(lang, message);
  const main = html`<div class="page-head"><h1>${said}</h1><p class="lead">${text(lang, `${message}Hint`)}</p></div>
<p><a class="button" href="/">${text(lang, 'allAuctions')}</a></p>`;
  return { title: said, main: main.markup };
}

/** `title`: the number of the tender. */
export function loginPage({ lang, title, bidder, hash, returnUrl }) {
  const fields = Object.entries({ bidder_id: bidder, hash, return_url: returnUrl });
  const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const main = html`<div class="page-head"><h1>${text(lang, 'consentTitle')}</h1><p><span>${text(lang, 'number')} <span class="number">${title}</span></span></p></div>
<form class="card consent" method="post" action="login" id="consent" data-testid="consent">${hidden}
<p class="lead">${text(lang, 'consent')}</p><p>${text(lang, 'consentHint')}</p>
<p class="buttons"><button id="confirm" class="button primary" data-testid="confirm">${text(lang, 'yes')}</button>
<a class="button" href="./">${text(lang, 'watch')}</a></p></form>`;
  const query = { bidder_id: bidder, hash, return_url: returnUrl };
  return { title: text(lang, 'consentTitle'), main: main.markup, query, script: 'login.js' };
}

/** `today`: the day at the server. */
export function listPage({ lang, lists, number, date, query, today }) {
  const main = html`<div class="page-head"><h1>${text(lang, 'auctions')}</h1></div>
<div class="finders">
<form role="search" aria-label="${text(lang, 'number')}"><div class="field"><label for="q">${text(lang, 'number')}</label><div class="search-box"><input id="q" name="q" data-testid="number" value="${number}" placeholder="UA-2026-03-28-000123"><button class="button">${text(lang, 'find')}</button></div></div></form>
<form role="search" aria-label="${text(lang, 'start')}"><div class="field"><label for="date">${text(lang, 'start')}</label><div class="search-box"><input id="date" type="date" name="date" value="${date}"><button class="button">${text(lang, 'show')}</button></div></div></form>
</div>${lists.map((list) => auctionList(list, lang, today))}`;
  return { title: text(lang, 'auctions'), main: main.markup, query };
}

/** The auctions of a day or of a number, test auctions apart. */
function auctionList({ date, auctions, next }, lang, today) {
  const name = date === undefined ? text(lang, 'found') : dayName(date, lang, today);
  const [real, tests] = [auctions.filter(({ test }) => !test), auctions.filter(({ test }) => test)];
  const none = auctions.length === 0 && notice('info', text(lang, date === undefined ? 'noneOfNumber' : 'none'));
  const parts = [
    auctionTable(real, name, 'auctions', { lang, date, isNamed: true }),
    auctionTable(tests, text(lang, 'testAuctions'), 'test-auctions', { lang, date }),
  ];
  const more =
    next !== undefined && html`<p class="pager"><a class="button" href="/?${next}">${text(lang, 'more')}</a></p>`;
  const heading = date === undefined ? name : html`<time datetime="${date}">${name}</time>`;
  return html`<section aria-label="${name}"><h2>${heading}</h2>${none}${parts}${more}</section>`;
}

function dayName(date, lang, today) {
  const name = dayOfWeek(lang, date);
  return date === today ? text(lang, 'today', { day: name }) : name;
}

/** `date`: the day of all of them; absent when each has its own. `isNamed`: by the heading before it. */
function auctionTable(auctions, caption, id, { lang, date, isNamed = false }) {
  if (auctions.length === 0) return false;
  const cell = (key, content) => html`<td data-name="${text(lang, key)}">${content}</td>`;
  const rows = auctions.map(
    (
      one,
    ) => html`<tr>${cell('start', html`<time datetime="${one.start_at}">${date === undefined ? shortMoment(lang, one.start_at) : moment(lang, one.start_at, date)}</time>`)}
${cell('number', html`<a href="/tenders/${one.id}">${translation(one, 'title', lang) || text(lang, 'auction')}</a> <small class="below quiet">${one.tenderID}</small>`)}
${cell('buyer', translation(one.procuringEntity, 'name', lang))}
${cell('phase', tag(PHASE_TONES[one.phase] ?? '', text(lang, `tag.${one.phase}`)))}</tr>`,
  );
  const head = ['start', 'number', 'buyer', 'phase'].map((key) => columnHead(text(lang, key)));
  return html`<table class="data-table rows auctions" data-testid="${id}"><caption${isNamed && html` class="away"`}>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`;
}
