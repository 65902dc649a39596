// The page of an auction. The same functions render at the server, for browsers without JavaScript, and in the browser after each change.
import { html } from './gen/markup.js';
import { course, hasResults, roundsOf } from './course.js';
import { clockTime, currencyName, duration, moment, money, quantity } from './format.js';
import { answerNotice, columnHead, notice, tenderAddress, translatedText, translation } from './markup.js';
import { text } from './texts.js';

export { course, notice };

/** `portal`: the address of the portal, where there is one. `message`: the code of the answer to a form. */
export function auctionPage(shown) {
  const { lang, state, mine, message } = shown;
  const refreshSeconds = secondsToRefresh(state, mine);
  const main = html`${pageHead(shown)}${status(state, mine, lang, refreshSeconds)}
<div id="polite" class="away" aria-live="polite" data-testid="polite"></div>
<div id="assertive" class="away" aria-live="assertive" role="alert" data-testid="assertive"></div>
${message !== undefined && answerNotice(lang, message, 'message')}
<section id="own" data-testid="own" aria-label="${text(lang, 'you')}"${mine === undefined && html` hidden`}>${ownPanel(shown)}</section>
<div id="course" tabindex="-1" data-testid="course">${course(shown)}</div>
${state.phase === 'planned' && howItGoes(state, lang)}${bought(state, lang)}`;
  const data = {
    auction: state.id,
    bidder: mine?.bidder_id ?? '',
    ...(shown.portal === undefined ? {} : { portal: shown.portal }),
  };
  const title = [state.tenderID, translatedText(state, 'title', lang) || text(lang, 'auction')].join(' · ');
  return { title, main: main.markup, script: 'room.js', refreshSeconds, data };
}

function pageHead(shown) {
  const { lang, state } = shown;
  const address = tenderAddress(shown, state.tenderID);
  const number = html`<span class="number">${state.tenderID}</span>`;
  const lot = translation(state.lot, 'title', lang);
  return html`<div class="page-head"><h1 data-testid="title">${translation(state, 'title', lang) || text(lang, 'auction')}</h1>
${lot && html`<p class="lead"><span>${text(lang, 'lot')}: ${lot}</span></p>`}
<p>${address === undefined ? number : html`<a href="${address}">${number}</a>`} <span class="quiet">${translation(state.procuringEntity, 'name', lang)}</span></p></div>`;
}

function status(state, mine, lang, refreshSeconds) {
  return html`<section class="now status" aria-label="${text(lang, 'phase')}"><p id="status" data-testid="status" role="status">${statusText(state, lang)}</p>
<p class="left"><span id="countdown" data-testid="countdown" class="time-left" role="timer" aria-live="off"></span> <span id="countdown-of">${targetText(state, mine, lang)}</span></p>
<ul class="signs"><li id="light" data-testid="connection"></li><li>${text(lang, 'serverTime')}: <time id="clock" class="number" data-testid="clock">${clockTime(state.now)}</time></li></ul>
<noscript><p class="quiet small">${text(lang, 'withoutScript', { n: refreshSeconds })}</p></noscript></section>`;
}

const REFRESH_SECONDS = 5;

/** Seconds until a page without scripts reloads. In the bidder's own turn it waits for the end: a reload would lose what is typed. */
function secondsToRefresh(state, mine) {
  if (!isOwnTurn(state, mine)) return REFRESH_SECONDS;
  const leftSeconds = (Date.parse(mine.turn.ends) - Date.parse(state.now)) / 1_000;
  return Math.max(Math.ceil(leftSeconds) + 1, REFRESH_SECONDS);
}

/** What everybody sees of the present moment. */
export function statusText({ phase, current_stage: stage, stages }, lang) {
  if (phase !== 'running') return text(lang, phase);
  const { n = 1 } = roundsOf(stages).find(({ last }) => stage <= last) ?? {};
  return text(lang, stages[stage]?.type === 'pause' ? 'pauseBefore' : 'round', { n });
}

/** What the page counts down to: the key of its text, and the instant. */
export function target(state, mine) {
  if (state.phase === 'planned') return ['untilStart', state.start_at ?? state.stages[0]?.start];
  if (state.phase !== 'running') return [undefined, undefined];
  if (mine?.turn) return isOwnTurn(state, mine) ? ['untilTurnEnd', mine.turn.ends] : ['untilTurn', mine.turn.starts];
  return ['untilNext', state.timer];
}

/** The same in words, with the instant, so that somebody who looks away knows until when. */
export function targetText(state, mine, lang) {
  const [key, until] = target(state, mine);
  return key !== undefined && until !== undefined && `${text(lang, key)}, ${moment(lang, until, state.now)}`;
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
export function ownPanel(shown) {
  const { state, mine, lang } = shown;
  if (mine === undefined) return html``;
  const who =
    mine.number === null
      ? text(lang, 'registered')
      : `${text(lang, 'you')}: ${text(lang, 'bidder')} ${text(lang, 'bidderNumber', { n: mine.number })}`;
  const isOwn = isOwnTurn(state, mine);
  const price = html`<p>${text(lang, hasResults(state) ? 'finalPrice' : 'presentPrice')}: <strong class="number" data-testid="own-amount">${money(lang, mine.amount, state.value?.currency)}</strong></p>`;
  return html`<div class="card own-panel${isOwn && html` in-turn`}"><h2 id="registered-bidder-msg">${who}</h2>${price}${isOwn ? offerForm(shown) : whatNext(shown)}
<div id="offer-message" data-testid="offer-message"></div>${leaveForm(shown)}</div>`;
}

/** What a bidder can expect when it has nothing to do. */
function whatNext({ state, mine, lang }) {
  if (state.phase === 'planned') return html`<p>${text(lang, 'waitHere')}</p>`;
  if (state.phase === 'running') {
    if (mine.turn === null) return html`<p>${text(lang, 'noMoreTurns')}</p>`;
    const { starts, ends } = mine.turn;
    return html`<p>${text(lang, 'nextTurn', { from: clockTime(starts), until: clockTime(ends) })} ${text(lang, 'waitHere')}</p>`;
  }
  const count = state.results.length;
  const place = count - state.results.findIndex(({ bidder_id: bidder }) => bidder === mine.bidder_id);
  if (!hasResults(state) || state.phase === 'conflict' || place > count) return html``;
  return html`<p>${text(lang, place === 1 ? 'youWon' : 'youRank', { place, count })}</p>`;
}

/** What stands in the open turn of the bidder. */
export function standsLine({ state, mine, lang }) {
  if (mine.stands === null || mine.stands === undefined) return html``;
  const amount = money(lang, mine.stands, state.value?.currency);
  return html`<p data-testid="stands">${text(lang, 'stands', { amount })}</p>`;
}

function offerForm(shown) {
  const { state, mine, lang } = shown;
  const limit = money(lang, mine.limit, state.value?.currency);
  const said = mine.limit === null ? text(lang, 'yourTurnNoLimit') : text(lang, 'yourTurn', { limit });
  return html`<form id="BidsForm" data-testid="offer-form" method="post" action="/tenders/${state.id}/offers" novalidate>
<p id="max_bid_amount_price" data-testid="limit" class="lead"><strong>${said}</strong></p><div id="stands">${standsLine(shown)}</div>
<div class="field"><label for="bid-amount-input">${text(lang, 'amountLabel')}${state.value?.currency !== undefined && `, ${currencyName(lang, state.value.currency)}`}</label>
<input id="bid-amount-input" data-testid="amount" name="amount" inputmode="decimal" autocomplete="off" aria-describedby="max_bid_amount_price offer-message"></div>
<input type="hidden" name="csrf" value="${mine.csrf}"><input type="hidden" name="offerId" value="form-${state.seq}-${Math.trunc(Date.parse(state.now))}">
<p class="buttons"><button id="place-bid-button" class="button primary" data-testid="place">${text(lang, 'place')}</button>
<button id="cancel-bid-button" class="button" data-testid="withdraw" name="withdraw" value="1">${text(lang, 'withdraw')}</button>
<button id="clear-bid-button" class="button plain" data-testid="clear" type="reset">${text(lang, 'clear')}</button></p></form>`;
}

function leaveForm({ state, mine, lang }) {
  const host = /^https?:\/\/([^/?#]+)/.exec(mine.return_url ?? '')?.[1];
  const back =
    host !== undefined &&
    html`<a class="button plain" href="${mine.return_url}" rel="noopener noreferrer" data-testid="return">${text(lang, 'back', { host })}</a>`;
  return html`<form class="leave buttons" method="post" action="/tenders/${state.id}/logout"><input type="hidden" name="csrf" value="${mine.csrf}">${back}<button class="button plain">${text(lang, 'leave')}</button></form>`;
}

/** Explains how the auction goes. It is shown before the start, when there is time to read. */
function howItGoes({ stages }, lang) {
  const first = stages.findIndex(({ type }) => type === 'bids');
  const turn = first > 0 ? duration(lang, stages[first].start, stages[first + 1].start) : '';
  const steps = ['how1', 'how2', 'how3'].map((key) => html`<li>${text(lang, key, { turn })}</li>`);
  return html`<section><h2>${text(lang, 'howTitle')}</h2><div class="prose"><ol>${steps}</ol></div></section>`;
}

function bought(state, lang) {
  const { value, minimalStep, items = [], features = [] } = state;
  const tax = value?.valueAddedTaxIncluded;
  const sum = (amount) => amount !== undefined && money(lang, amount, value?.currency ?? minimalStep?.currency);
  const facts = [
    ['value', sum(value?.amount), tax !== undefined && text(lang, tax ? 'withTax' : 'withoutTax')],
    ['step', sum(minimalStep?.amount)],
    ['startAt', state.start_at !== undefined && moment(lang, state.start_at)],
    ['endAt', state.endDate !== undefined && moment(lang, state.endDate)],
  ].filter(([, shown]) => shown !== false);
  const entries = facts.map(
    ([key, shown, more]) =>
      html`<div><dt>${text(lang, key)}</dt><dd class="number">${shown}</dd>${more && html`<dd class="quiet small">${more}</dd>`}</div>`,
  );
  const rows = items.map(
    (item) =>
      html`<tr><td>${translation(item, 'description', lang)}</td><td class="number">${item.quantity !== undefined && quantity(lang, item.quantity)} ${translation(item.unit, 'name', lang)}</td></tr>`,
  );
  const head = [columnHead(text(lang, 'description')), columnHead(text(lang, 'quantity'), true)];
  const criteria = features.map((feature) => html`<li>${translation(feature, 'title', lang)}</li>`);
  return html`<section><h2 id="bought">${text(lang, 'bought')}</h2>
<dl class="facts">${entries}</dl>
${rows.length > 0 && html`<table class="data-table bought" aria-labelledby="bought"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`}
${criteria.length > 0 && html`<h3>${text(lang, 'features')}</h3><div class="prose"><ul>${criteria}</ul></div>`}</section>`;
}
