// The tables of an auction: opening bids, rounds, results. Everything that changes with each turn.
import { html, icon } from './gen/markup.js';
import { columnHead, notice, scrollingTable, tag, tenderAddress } from './markup.js';
import { clockTime, moment, money, shortMoment } from './format.js';
import { text } from './texts.js';

const PHASES_WITH_RESULTS = new Set(['finished', 'announced', 'conflict']);

/** Whether bidding is over with results. */
export function hasResults({ phase }) {
  return PHASES_WITH_RESULTS.has(phase);
}

/** Rounds with the indexes of their stages, and the pause before them. */
export function roundsOf(stages) {
  const rounds = [];
  for (const [index, { type }] of stages.entries()) {
    if (type === 'pause') rounds.push({ n: rounds.length + 1, pause: index, turns: [], last: index });
    else if (type === 'bids') {
      rounds.at(-1)?.turns.push(index);
      rounds.at(-1).last = index;
    }
  }
  return rounds;
}

/**
 * Results and the running round stand on the left and what was before on the right, from a width of 1,024 px; on narrower screens
 * they follow one another. A round that has not begun is a line: its order and prices are not known.
 */
export function course(shown) {
  const { state, lang } = shown;
  const shifts = state.shifts.map(({ seconds }) => notice('warn', text(lang, 'extended', { n: seconds })));
  // An auction that was cancelled before its start shows its shifts too.
  if (state.initial_bids.length === 0) return html`${shifts}`;
  const rounds = roundsOf(state.stages);
  const begun = rounds.filter((round) => hasBegun(state, round)).toReversed();
  const ahead = rounds.filter(({ pause }) => state.phase === 'running' && pause >= state.current_stage);
  const tables = [...begun.map((round) => roundTable(shown, round)), openingTable(shown)];
  const [first, ...earlier] = hasResults(state) ? [results(shown), ...tables] : tables;
  const lines = ahead.map(
    ({ n }) => html`<p class="quiet" id="round-header-${n}">${text(lang, 'notBegun', { n })}</p>`,
  );
  return html`${shifts}<div class="columns columns-6-6"><div>${first}${lines.length > 0 && html`<section class="ahead">${lines}</section>`}</div><div>${earlier}</div></div>`;
}

/** The document of an auction that was cancelled or missed in its course does not say how far it came: rounds with offers are shown. */
function hasBegun({ current_stage: current, stages }, { pause, last }) {
  return current < 0 ? stages.slice(pause).some(({ changed }) => changed === true) : current > pause && last > pause;
}

function openingTable(shown) {
  const { state, lang } = shown;
  const rows = state.initial_bids.map((row) => priceRow(shown, row, time(shown, row)));
  return table({ shown, id: 'initial-bids-header', title: text(lang, 'initialBids'), rows, last: 'time' });
}

function roundTable(shown, { n, turns }) {
  const { state, lang } = shown;
  const rows = turns.map((index) => priceRow(shown, state.stages[index], turn(shown, index), { index }));
  return table({ shown, id: `round-header-${n}`, title: text(lang, 'round', { n }), rows, last: 'turn' });
}

/** Best first. The last line of `results` wins, also among equal prices (ruling R22). */
function results(shown) {
  const { state, lang } = shown;
  const lines = state.results.toReversed();
  const rows = lines.map((row, place) => priceRow(shown, row, undefined, { place: place + 1 }));
  return html`${table({ shown, id: 'results-header', title: text(lang, 'results'), rows, isRanked: true })}${whatFollows(shown)}`;
}

function whatFollows(shown) {
  const { state, lang } = shown;
  const address = tenderAddress(shown, state.tenderID);
  const decision = address !== undefined && html` <a href="${address}">${text(lang, 'decision')}</a>`;
  const file =
    state.phase === 'announced' &&
    html`<p class="buttons"><a class="button" href="/tenders/${state.id}/protocol" data-testid="protocol">${icon('file')}${text(lang, 'protocol')}</a></p>`;
  const isOther = state.phase === 'conflict';
  return html`${notice(isOther ? 'warn' : 'info', html`${text(lang, isOther ? 'conflictHint' : 'decides')}${decision}`)}${file}`;
}

function table({ shown: { state, lang }, id, title, rows, last, isRanked = false }) {
  const head = [
    isRanked && columnHead(text(lang, 'rank'), true),
    columnHead(text(lang, 'bidder')),
    columnHead(text(lang, last === undefined ? 'amountAndTime' : 'amount'), true),
    state.auction_type === 'meat' && columnHead(text(lang, 'normalized'), true),
    last !== undefined && columnHead(text(lang, last), true),
  ];
  return html`<section><h2 id="${id}">${title}</h2>${scrollingTable({ labelledBy: id, head, rows })}</section>`;
}

/** `last`: the last cell; without it the time stands below the price, for the sake of telephones. `index` of a turn; `place` among the results. */
function priceRow(shown, row, last, { index, place } = {}) {
  const { state, mine, lang } = shown;
  const isOwn = mine?.bidder_id !== undefined && row.bidder_id === mine.bidder_id;
  const attributes = [
    index !== undefined && html` id="stage-${index}"`,
    index !== undefined && index === state.current_stage && html` aria-current="step"`,
    html` data-bidder="${row.bidder_id}"`,
    isOwn && html` class="own"`,
  ];
  const isWinner = place === 1 && state.phase !== 'conflict';
  const isBest = state.phase === 'running' && row.amount !== undefined && row.amount === findLowestPrice(state);
  return html`<tr${attributes}>${place !== undefined && html`<td class="number">${place}</td>`}<th scope="row">${bidderName(shown, row)}${isOwn && html`\u00a0·\u00a0<strong>${text(lang, 'you')}</strong>`}${isWinner && html` ${tag('good', text(lang, 'winner'))}`}</th>
<td class="number">${isBest && html`<small class="quiet">${text(lang, 'minimum')}</small> `}${money(lang, row.amount)}${last === undefined && html`<small class="below quiet">${time(shown, row)}</small>`}</td>${state.auction_type === 'meat' && html`<td class="number">${money(lang, fraction(row.amount_features))}</td>`}${last !== undefined && html`<td class="number">${last}</td>`}</tr>`;
}

/** The number stays beside a revealed name: several bidders may have the same. */
function bidderName({ state, lang }, { bidder_id: bidder, label }) {
  const name = label?.[lang] ?? '';
  const n = state.initial_bids.findIndex(({ bidder_id: id }) => id === bidder) + 1;
  const number = text(lang, 'bidderNumber', { n });
  return name.endsWith(` ${number}`) ? name : html`${number}\u00a0·\u00a0<bdi>${name}</bdi>`;
}

/** When the bid of a line was made; without the day when that is the day of the auction. */
function time({ state, lang }, { time: at }) {
  if (at === undefined) return '';
  const isOfToday = at.slice(0, 10) === state.start_at?.slice(0, 10);
  return html`<time datetime="${at}">${isOfToday ? clockTime(at) : shortMoment(lang, at)}</time>`;
}

/** What came of a turn, or when it begins. */
function turn(shown, index) {
  const { state, lang } = shown;
  const stage = state.stages[index];
  if (index === state.current_stage) return tag('info', text(lang, 'turnNow'), 'clock');
  if (index > state.current_stage && state.current_stage >= 0)
    return html`<span class="quiet">${text(lang, 'turnFrom', { time: moment(lang, stage.start, stage.start) })}</span>`;
  return stage.changed === true ? time(shown, stage) : html`<span class="quiet">${text(lang, 'unchanged')}</span>`;
}

/** A printed fraction as a number, for people. */
function fraction(printed) {
  if (printed === undefined) return undefined;
  const [numerator, denominator = '1'] = printed.split('/');
  return Number((BigInt(numerator) * 10_000n) / BigInt(denominator)) / 10_000;
}

/** The lowest price that is shown; with features prices of others are not comparable. */
function findLowestPrice({ results: lines, auction_type: type }) {
  if (type === 'meat') return undefined;
  const amounts = lines.flatMap(({ amount }) => (amount === undefined ? [] : [amount]));
  return amounts.length === 0 ? undefined : Math.min(...amounts);
}
