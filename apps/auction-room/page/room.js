// The page of an auction. Everything that is shown comes from `view.js`, at the server and here.
import { describeChange, makeAnnouncer, selectReminders, turnBegins } from './announce.js';
import { makeClock } from './clock.js';
import { pendingOffers, sendOffer } from './offers.js';
import { duration, money, parseAmount } from './format.js';
import { text } from './texts.js';
import {
  course,
  isOwnTurn,
  nextRoundMs,
  notice,
  ownPanel,
  standsLine,
  statusText,
  target,
  targetText,
} from './view.js';

const SLOTS = 4;
const POLL_MS = 1_500;
const LOST_SECONDS = 5;
const LAST_SECONDS = 5;
const SECOND_MS = 1_000;
/** Longest time between two ticks: the light and the countdown follow what frames say. */
const TICK_MS = 250;
const LOW_SHARE = 0.7;

const lang = document.documentElement.lang;
const auctionId = document.body.dataset.auction;
const isBidder = document.body.dataset.bidder !== '';
const { portal } = document.body.dataset;
const pageTitle = document.title;
const byId = (id) => document.getElementById(id);
/** Nothing but what the functions of `view.js` make becomes markup, where browsers know Trusted Types. */
const policy = globalThis.trustedTypes?.createPolicy('room', { createHTML: (markup) => markup });
const fill = (element, { markup }) => {
  // oxlint-disable-next-line house/no-raw-html -- the only place: of templates, which escape every text
  element.innerHTML = policy?.createHTML(markup) ?? markup;
};

const clock = makeClock(auctionId);
const announcer = makeAnnouncer(document);
const pending = pendingOffers(auctionId);
let state;
let mine;
let panel = '';
let warnedOf;
let lostAt;
let wasLost = false;
let isResumed = false;
/** The last look at the countdown. */
let counted = {};

function showState(next) {
  const before = state;
  if (before !== undefined && next.seq < before.seq) return;
  state = { ...before, ...next };
  clock.seen(Date.parse(next.now));
  byId('status').textContent = statusText(state, lang);
  showCourse();
  announce(describeChange({ before, state, mine, lang, text, money, duration }));
  showPanel();
  tick();
}

/** The region of a table that has the focus keeps it. */
function showCourse() {
  const focused = byId('course').contains(document.activeElement) ? document.activeElement.id : '';
  fill(byId('course'), course({ state, mine, lang, portal }));
  if (focused !== '') byId(focused)?.focus({ preventScroll: true });
}

function announce(sentences) {
  for (const [region, kind, sentence] of sentences) {
    if (region === 'polite') announcer.polite(kind, sentence);
    else announcer.assertive(sentence);
  }
}

/** The form stays while a turn lasts: what is typed, and the focus, must not go away. */
function showPanel() {
  if (mine === undefined || state === undefined) return;
  const isOwn = isOwnTurn(state, mine);
  const { number, amount, limit, turn } = mine;
  const next = JSON.stringify([isOwn ? turn.stage : [turn, state.phase], number, amount, limit]);
  if (next !== panel) {
    panel = next;
    const said = byId('offer-message');
    byId('own').hidden = false;
    fill(byId('own'), ownPanel({ state, mine, lang }));
    // The answer to an offer stays until the next turn; a warning is over with the turn.
    if (!isOwn && said !== null && said.querySelector('.warn') === null)
      byId('offer-message').replaceChildren(...said.childNodes);
    if (isOwn) {
      byId('BidsForm').addEventListener('submit', submit);
      announcer.assertive(turnBegins({ state, mine, lang, text, money, duration }));
    }
    return;
  }
  if (isOwn) fill(byId('stands'), standsLine({ state, mine, lang }));
}

async function loadMine() {
  if (!isBidder) return;
  const response = await fetch(`/tenders/${auctionId}/mine`);
  if (response.ok) mine = await response.json();
  showPanel();
  if (mine !== undefined && state !== undefined) resume();
}

function show(tone, sentence) {
  const place = byId('offer-message');
  if (place !== null) fill(place, notice(tone, sentence));
}

function say(tone, sentence) {
  show(tone, sentence);
  announcer.assertive(sentence);
}

function submit(event) {
  event.preventDefault();
  const isWithdrawal = event.submitter?.name === 'withdraw';
  const amount = isWithdrawal ? null : parseAmount(byId('bid-amount-input').value);
  if (amount === undefined) return say('bad', text(lang, 'notANumber'));
  if (amount !== null && mine.limit !== null && amount < mine.limit * LOW_SHARE && warnedOf !== amount) {
    warnedOf = amount;
    return say('warn', text(lang, 'low', { percent: Math.round(100 - (100 * amount) / mine.limit) }));
  }
  const offer = { offerId: crypto.randomUUID?.() ?? randomId(), amount, stage: mine.turn.stage };
  pending.keep(offer);
  void deliver(offer);
}

function randomId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What was sent before a reload and not answered, whoever's turn it is now. */
function resume() {
  if (isResumed) return;
  isResumed = true;
  const offer = pending.take();
  if (offer !== null) void deliver(offer);
}

async function deliver(offer) {
  const answer = await sendOffer({
    ...offer,
    auctionId,
    csrf: mine.csrf,
    isOver: () => pending.take()?.offerId !== offer.offerId || (clock.now() ?? 0) > nextRoundMs(state, offer.stage),
    onAttempt: (n) => {
      if (n === 1) return;
      const sentence = navigator.onLine ? text(lang, 'sending', { n }) : text(lang, 'willBeSent');
      // Spoken once, not at each attempt.
      if (n === 2) say('warn', sentence);
      else show('warn', sentence);
    },
  });
  const isNewest = pending.take()?.offerId === offer.offerId;
  if (isNewest) pending.drop();
  if (answer === undefined) return isNewest ? say('bad', text(lang, 'room.unavailable')) : undefined;
  if (!answer.isAccepted) return say('bad', text(lang, answer.body.errors?.[0]?.code ?? 'other'));
  const { accepted } = answer.body;
  say(
    'good',
    accepted === null
      ? text(lang, 'withdrawn')
      : text(lang, 'accepted', { amount: money(lang, accepted, state.value?.currency) }),
  );
}

/** Shows the time. Answers after how many milliseconds it shows another second. */
function tick() {
  showConnection();
  const now = clock.now();
  if (now === undefined || state === undefined) return TICK_MS;
  byId('clock').textContent = clockText(now);
  const [key, until] = target(state, mine);
  const leftMs = until === undefined ? undefined : Math.max(Date.parse(until) - now, 0);
  const seconds = leftMs === undefined ? undefined : Math.ceil(leftMs / SECOND_MS);
  byId('countdown').textContent = seconds === undefined ? '' : countdownText(seconds);
  byId('countdown-of').textContent = targetText(state, mine, lang) || '';
  document.title = seconds === undefined ? pageTitle : `${countdownText(seconds)} · ${pageTitle}`;
  if (seconds !== undefined) remind(key, until, seconds);
  const nextMs = [SECOND_MS - (now % SECOND_MS), (leftMs ?? 0) % SECOND_MS || SECOND_MS];
  return Math.min(TICK_MS, ...nextMs);
}

function keepTime() {
  let waitMs = TICK_MS;
  try {
    waitMs = tick();
  } finally {
    setTimeout(keepTime, waitMs);
  }
}

/** Says each sentence once, until the instant that the page counts down to moves. */
function remind(key, until, seconds) {
  const before = counted.until === until ? counted.seconds : undefined;
  // A correction of the clock may lead back over a second.
  counted = { until, seconds: Math.min(seconds, before ?? seconds) };
  announce(selectReminders({ target: key, before, seconds, lang, text }));
  if (key === 'untilTurnEnd' && before > LAST_SECONDS && seconds <= LAST_SECONDS) {
    if (byId('offer-message')?.textContent === '') show('warn', text(lang, 'lastSeconds'));
  }
}

function countdownText(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const two = (number) => String(number).padStart(2, '0');
  return `${hours > 0 ? `${hours}:` : ''}${two(minutes)}:${two(seconds % 60)}`;
}

/** The time of day in the zone of the server, which the tables use too. */
function clockText(nowMs) {
  const offset = /([+-])(\d\d):(\d\d)$/.exec(state.now);
  const minutes = offset === null ? 0 : Number(`${offset[1]}1`) * (Number(offset[2]) * 60 + Number(offset[3]));
  return new Date(nowMs + minutes * 60_000).toISOString().slice(11, 19);
}

function showConnection() {
  const light = byId('light');
  const seconds = lostAt === undefined ? 0 : Math.floor((performance.now() - lostAt) / 1_000);
  light.dataset.state = lostAt === undefined ? 'connected' : 'lost';
  light.textContent = lostAt === undefined ? text(lang, 'connected') : text(lang, 'reconnecting', { n: seconds });
  if (seconds > LOST_SECONDS && !wasLost) {
    wasLost = true;
    announcer.assertive(text(lang, 'connectionLost'));
  }
}

function connected() {
  lostAt = undefined;
  if (!wasLost) return;
  wasLost = false;
  announcer.polite('connection', text(lang, 'connectionBack'));
  void clock.measure();
}

function lost() {
  lostAt ??= performance.now();
}

function openStream() {
  const stream = new EventSource(`/tenders/${auctionId}/stream`);
  stream.addEventListener('open', connected);
  stream.addEventListener('state', ({ data }) => {
    connected();
    showState(JSON.parse(data));
  });
  stream.addEventListener('time', ({ data }) => {
    connected();
    clock.seen(Date.parse(JSON.parse(data).now));
  });
  stream.addEventListener('mine', ({ data }) => {
    mine = { ...mine, ...JSON.parse(data) };
    showPanel();
  });
  stream.addEventListener('error', () => {
    lost();
    // A browser gives up after an answer such as 503: the state is asked for until the stream opens again.
    if (stream.readyState === EventSource.CLOSED) void poll().finally(() => setTimeout(openStream, POLL_MS));
  });
}

async function poll() {
  try {
    const response = await fetch(`/tenders/${auctionId}/state?since=${state?.seq ?? -1}`, { cache: 'no-store' });
    if (response.status === 200) showState(await response.json());
    if (response.ok) connected();
    await loadMine();
  } catch {
    lost();
  }
}

/**
 * Over HTTP/1.1 a browser opens six connections to a host, for all tabs together, and an offer needs one: so four tabs have a
 * stream, and the others ask. Over HTTP/2, and without Web Locks, every tab has one.
 */
async function connect() {
  const [entry] = performance.getEntriesByType('navigation');
  if (entry?.nextHopProtocol !== 'http/1.1' || navigator.locks === undefined) return openStream();
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const isTaken = await new Promise((resolve) => {
      void navigator.locks.request(`auction-stream-${slot}`, { ifAvailable: true }, async (lock) => {
        resolve(lock === null);
        // Held as long as the tab is open.
        return lock === null ? undefined : new Promise(() => undefined);
      });
    });
    if (!isTaken) return openStream();
  }
  setInterval(() => void poll(), POLL_MS);
  return undefined;
}

// A stream notices late that the connection is gone.
addEventListener('offline', lost);
// The whole document first: frames have only what changes.
const response = await fetch(`/tenders/${auctionId}/state`, { cache: 'no-store' });
if (response.ok) showState(await response.json());
await loadMine();
void clock.measure();
keepTime();
await connect();
