// The same functions render at the server, for browsers without JavaScript, and in the browser after each change.
import { clockTime, dayAndTime, money, text } from './texts.js';

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Every text of the tender passes through it. */
export function escape(value) {
  return String(value ?? '').replaceAll(/[&<>"']/g, (character) => ESCAPES[character]);
}

/** The text in the language of the page, where the tender has it. */
function translated(object, name, lang) {
  return (lang === 'en' && object?.[`${name}_en`]) || object?.[name] || '';
}

/** The address of the page in another language. */
function addressIn(lang, query) {
  const changed = new URLSearchParams(query);
  changed.set('lang', lang);
  return `?${escape(changed)}`;
}

/** `query`: what the address of the page has besides its language. */
function layout({ lang, base, title, body, query = {}, skip = '', script = '', refreshSeconds, attributes = '' }) {
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/style.css">
${script === '' ? '' : `<script type="module" src="${base}/${script}"></script>`}
${refreshSeconds === undefined ? '' : `<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
</head>
<body ${attributes}>
${skip}<nav class="bar"><a href="/">${text(lang, 'auctions')}</a>
<span><a href="${addressIn('uk', query)}" lang="uk" hreflang="uk">Українська</a> <a href="${addressIn('en', query)}" lang="en" hreflang="en">English</a></span></nav>
${body}
</body>
</html>`;
}

export function messagePage({ lang, base, message }) {
  const said = text(lang, message);
  return layout({ lang, base, title: said, body: `<main><h1>${said}</h1></main>` });
}

export function loginPage({ lang, base, title, bidder, hash, returnUrl }) {
  const hidden = (name, value) => `<input type="hidden" name="${name}" value="${escape(value)}">`;
  const body = `<main><h1>${text(lang, 'consentTitle')}: ${escape(title)}</h1>
<form method="post" action="login" id="consent" data-testid="consent">${hidden('bidder_id', bidder)}${hidden('hash', hash)}${hidden('return_url', returnUrl)}
<p>${text(lang, 'consent')}</p><button id="confirm" data-testid="confirm">${text(lang, 'yes')}</button></form></main>`;
  const query = { bidder_id: bidder, hash, return_url: returnUrl };
  return layout({ lang, base, title: text(lang, 'consentTitle'), body, query, script: 'login.js' });
}

export function listPage({ lang, base, lists, number, date, query }) {
  const forms = `<form role="search" aria-label="${text(lang, 'start')}"><label>${text(lang, 'start')} <input type="date" name="date" value="${escape(date)}"></label> <button>${text(lang, 'show')}</button></form>
<form role="search" aria-label="${text(lang, 'number')}"><label>${text(lang, 'number')} <input name="q" data-testid="number" value="${escape(number)}" placeholder="UA-2026-03-28-000123"></label> <button>${text(lang, 'find')}</button></form>`;
  const shown = lists.map((list) => auctionList(list, lang)).join('');
  const body = `<main><h1>${text(lang, 'auctions')}</h1>${forms}${shown}</main>`;
  return layout({ lang, base, title: text(lang, 'auctions'), body, query });
}

/** The auctions of a day or of a number, test auctions apart. */
function auctionList({ date, auctions, next }, lang) {
  const name = date ?? text(lang, 'found');
  const real = auctions.filter((one) => !one.test);
  const tests = auctions.filter((one) => one.test);
  const more = next === undefined ? '' : `<p><a href="/?${escape(next)}">${text(lang, 'more')}</a></p>`;
  const none = `<p>${text(lang, date === undefined ? 'noneOfNumber' : 'none')}</p>`;
  return `<section aria-label="${escape(name)}"><h2>${escape(name)}</h2>${auctions.length === 0 ? none : ''}
${auctionTable(real, name, 'auctions', lang)}${auctionTable(tests, text(lang, 'testAuctions'), 'test-auctions', lang)}${more}</section>`;
}

function auctionTable(auctions, caption, id, lang) {
  if (auctions.length === 0) return '';
  const rows = auctions.map(
    (
      one,
    ) => `<tr><td>${escape(dayAndTime(one.start_at))}</td><td><a href="/tenders/${escape(one.id)}">${escape(one.tenderID)}</a></td>
<td>${escape(one.procuringEntity.name)}</td><td>${escape(one.title)}</td><td>${text(lang, one.phase)}</td></tr>`,
  );
  const head = ['start', 'number', 'buyer', 'title', 'phase'].map((key) => `<th scope="col">${text(lang, key)}</th>`);
  return `<table data-testid="${id}"><caption>${escape(caption)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

export function auctionPage({ lang, base, state, mine, message }) {
  const title = `${state.tenderID} · ${text(lang, 'auction')}`;
  const offline = message === undefined ? '' : `<p class="note" data-testid="message">${text(lang, message)}</p>`;
  const skip = `<a class="skip" href="#course">${text(lang, 'skip')}</a>\n`;
  const body = `<header><h1 data-testid="title">${escape(state.tenderID)}</h1>
<p><strong>${escape(translated(state, 'title', lang))}</strong></p><p>${escape(translated(state.lot, 'title', lang))}</p>
<p>${text(lang, 'buyer')}: ${escape(translated(state.procuringEntity, 'name', lang))}</p></header>
<section class="status" aria-label="${text(lang, 'phase')}"><p id="status" data-testid="status" role="status">${statusText(state, lang)}</p>
<p><span id="countdown" data-testid="countdown" role="timer" aria-live="off"></span> <span id="countdown-of"></span></p>
<p class="quiet"><span id="light" data-testid="connection" class="light"></span> ${text(lang, 'serverTime')}: <time id="clock" data-testid="clock">${clockTime(state.now)}</time></p></section>
<div id="polite" class="hidden" aria-live="polite" data-testid="polite"></div>
<div id="assertive" class="hidden" aria-live="assertive" role="alert" data-testid="assertive"></div>
<main>${offline}<section id="own" data-testid="own" aria-label="${text(lang, 'you')}">${ownPanel({ state, mine, lang })}</section>
<div id="course" tabindex="-1" data-testid="course">${course({ state, mine, lang })}</div>
<section>${bought(state, lang)}</section></main>`;
  const attributes = `data-auction="${escape(state.id)}" data-bidder="${escape(mine?.bidder_id ?? '')}"`;
  const refreshSeconds = refreshOf(state, mine);
  return layout({ lang, base, title, body, skip, script: 'room.js', refreshSeconds, attributes });
}

const REFRESH_SECONDS = 5;

/** Without a script the page loads itself anew. In the own turn only after its end: what is typed would be lost. */
function refreshOf(state, mine) {
  if (!isOwnTurn(state, mine)) return REFRESH_SECONDS;
  const leftSeconds = (Date.parse(mine.turn.ends) - Date.parse(state.now)) / 1_000;
  return Math.max(Math.ceil(leftSeconds) + 1, REFRESH_SECONDS);
}

/** What everybody sees of the present moment. */
export function statusText({ phase, current_stage: stage, stages }, lang) {
  if (phase !== 'running') return text(lang, phase);
  const rounds = roundsOf(stages);
  const round = rounds.findIndex(({ last }) => stage <= last);
  return stages[stage]?.type === 'pause'
    ? text(lang, 'pauseBefore', { n: round + 1 })
    : text(lang, 'round', { n: round + 1 });
}

/** Rounds with the indexes of their stages. */
function roundsOf(stages) {
  const rounds = [];
  for (const [index, { type }] of stages.entries()) {
    if (type === 'pause') rounds.push({ turns: [], last: index });
    else if (type === 'bids') {
      rounds.at(-1)?.turns.push(index);
      rounds.at(-1).last = index;
    }
  }
  return rounds;
}

/** Opening bids, rounds and results: all that changes with the auction. */
export function course({ state, mine, lang }) {
  const best = bestOf(state);
  const line = (row, extra = '', id = '') => priceRow({ row, best, state, mine, lang, extra, id });
  // Also of an auction that was cancelled before.
  const hasBegun = state.initial_bids.length > 0;
  const initial = hasBegun
    ? table({
        id: 'initial-bids-header',
        title: text(lang, 'initialBids'),
        rows: state.initial_bids.map((row) => line(row)),
        state,
        lang,
      })
    : '';
  const rounds = roundsOf(state.stages).map(({ turns }, round) => {
    const rows = turns.map((index) =>
      line(state.stages[index], state.current_stage === index ? ' aria-current="step"' : '', ` id="stage-${index}"`),
    );
    return table({ id: `round-header-${round + 1}`, title: text(lang, 'round', { n: round + 1 }), rows, state, lang });
  });
  const isOver = state.phase === 'finished' || state.phase === 'announced' || state.phase === 'conflict';
  const results = isOver
    ? table({
        id: 'results-header',
        title: text(lang, 'results'),
        rows: state.results.map((row) => line(row)),
        state,
        lang,
      })
    : '';
  const shifts = state.shifts
    .map(({ seconds }) => `<p class="note">${text(lang, 'extended', { n: seconds })}</p>`)
    .join('');
  const file =
    state.phase === 'announced'
      ? `<p><a href="/tenders/${escape(state.id)}/protocol" data-testid="protocol">${text(lang, 'protocol')}</a></p>`
      : '';
  return `${shifts}${isOver ? results + file : ''}${initial}${hasBegun ? rounds.join('') : ''}`;
}

function table({ id, title, rows, state, lang }) {
  const isWeighted = state.auction_type === 'meat';
  const keys = ['bidder', 'amount', ...(isWeighted ? ['normalized'] : []), 'time'];
  const head = keys.map((key) => `<th scope="col">${text(lang, key)}</th>`).join('');
  return `<section><h2 id="${id}">${title}</h2><div class="scroll"><table aria-labelledby="${id}"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
}

function priceRow({ row, best, state, mine, lang, extra, id }) {
  const isOwn = mine?.bidder_id !== undefined && row.bidder_id === mine.bidder_id;
  const label = `${escape(row.label?.[lang] ?? '')}${isOwn ? ` <strong>(${text(lang, 'you')})</strong>` : ''}`;
  const isBest = best !== undefined && row.amount === best;
  const amount = `${money(lang, row.amount)}${isBest ? ` <small>${text(lang, 'minimum')}</small>` : ''}`;
  const weighted = state.auction_type === 'meat' ? `<td>${money(lang, fraction(row.amount_features))}</td>` : '';
  return `<tr${id}${extra} data-bidder="${escape(row.bidder_id)}"${isOwn ? ' class="own"' : ''}><th scope="row">${label}</th><td class="price">${amount}</td>${weighted}<td>${clockTime(row.time)}</td></tr>`;
}

/** A printed fraction as a number, for people. */
function fraction(printed) {
  if (printed === undefined) return undefined;
  const [numerator, denominator = '1'] = printed.split('/');
  return Number((BigInt(numerator) * 10_000n) / BigInt(denominator)) / 10_000;
}

/** The lowest price that is shown; with features prices of others are not comparable. */
export function bestOf({ results, auction_type: type }) {
  if (type === 'meat') return undefined;
  const amounts = results.flatMap(({ amount }) => (amount === undefined ? [] : [amount]));
  return amounts.length === 0 ? undefined : Math.min(...amounts);
}

export function isOwnTurn(state, mine) {
  return (
    mine?.turn !== null &&
    mine?.turn !== undefined &&
    mine.turn.stage === state.current_stage &&
    state.phase === 'running'
  );
}

/** When an offer of this stage could be taken for one of the next round, by the timetable so far. */
export function nextRoundMs({ stages }, stage) {
  const pause = stages.findIndex(({ type }, index) => index > stage && type !== 'bids');
  return Date.parse(stages[pause + 1]?.start ?? '');
}

/** The panel of a bidder; empty for watchers. */
export function ownPanel({ state, mine, lang }) {
  if (mine === undefined) return '';
  const who =
    mine.number === null ? text(lang, 'registered') : `${text(lang, 'you')}: ${text(lang, 'bidder')} №${mine.number}`;
  const currency = escape(state.value?.currency);
  const price = `<p>${text(lang, 'amountLabel')}: <strong data-testid="own-amount">${money(lang, mine.amount, currency)}</strong></p>`;
  return `<h2 id="registered-bidder-msg">${who}</h2>${price}${isOwnTurn(state, mine) ? offerForm({ state, mine, lang, currency }) : ''}
<p id="offer-message" data-testid="offer-message" class="note"></p>${leaveForm(state, mine, lang)}`;
}

function offerForm({ state, mine, lang, currency }) {
  const limit = money(lang, mine.limit, currency);
  const said = mine.limit === null ? text(lang, 'yourTurnNoLimit') : text(lang, 'yourTurn', { limit });
  const stands =
    mine.stands === null || mine.stands === undefined
      ? ''
      : `<p data-testid="stands">${text(lang, 'stands', { amount: money(lang, mine.stands, currency) })}</p>`;
  return `<form id="BidsForm" data-testid="offer-form" method="post" action="/tenders/${escape(state.id)}/offers" novalidate>
<p id="max_bid_amount_price" data-testid="limit">${said}</p>${stands}
<label for="bid-amount-input">${text(lang, 'amountLabel')}</label>
<input id="bid-amount-input" data-testid="amount" name="amount" inputmode="decimal" autocomplete="off" aria-describedby="max_bid_amount_price offer-message">
<input type="hidden" name="csrf" value="${escape(mine.csrf)}"><input type="hidden" name="offerId" value="form-${escape(state.seq)}-${escape(Math.trunc(Date.parse(state.now)))}">
<p class="buttons"><button id="place-bid-button" data-testid="place">${text(lang, 'place')}</button>
<button id="cancel-bid-button" data-testid="withdraw" name="withdraw" value="1">${text(lang, 'withdraw')}</button>
<button id="clear-bid-button" data-testid="clear" type="reset">${text(lang, 'clear')}</button></p></form>`;
}

function leaveForm(state, mine, lang) {
  const back =
    mine.return_url === undefined
      ? ''
      : `<a href="${escape(mine.return_url)}" rel="noopener noreferrer" data-testid="return">${text(lang, 'back', { host: escape(hostOf(mine.return_url)) })}</a> `;
  return `<form method="post" action="/tenders/${escape(state.id)}/logout"><input type="hidden" name="csrf" value="${escape(mine.csrf)}">${back}<button class="plain">${text(lang, 'leave')}</button></form>`;
}

function hostOf(address) {
  return /^https?:\/\/([^/?#]+)/.exec(address)?.[1] ?? '';
}

function bought(state, lang) {
  const currency = escape(state.value?.currency);
  const items = (state.items ?? []).map(
    (item) =>
      `<li>${escape(translated(item, 'description', lang))}: ${escape(item.quantity)} ${escape(item.unit?.name)}</li>`,
  );
  const features = (state.features ?? []).map((feature) => `<li>${escape(translated(feature, 'title', lang))}</li>`);
  return `<h2>${text(lang, 'bought')}</h2><ul>${items.join('')}</ul>
<p>${text(lang, 'value')}: ${money(lang, state.value?.amount, currency)}</p><p>${text(lang, 'step')}: ${money(lang, state.minimalStep?.amount, currency)}</p>
${features.length === 0 ? '' : `<h3>${text(lang, 'features')}</h3><ul>${features.join('')}</ul>`}`;
}
