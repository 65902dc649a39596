// Sentences for screen readers (auction-room.md 11.6). Nothing here moves the focus.

const PAUSE_MS = 1_000;

export function makeAnnouncer(document) {
  const waiting = new Map();
  const region = (name) => document.getElementById(name);
  setInterval(() => {
    const [next] = waiting;
    if (next === undefined) return;
    waiting.delete(next[0]);
    region('polite').textContent = next[1];
  }, PAUSE_MS);
  return {
    /** Speaks at most one sentence a second; the newest of a kind replaces those not yet spoken. */
    polite(kind, sentence) {
      waiting.delete(kind);
      waiting.set(kind, sentence);
    },
    assertive(sentence) {
      region('assertive').textContent = sentence;
    },
  };
}

/** What a change of the auction says. `before` is absent for the first state. */
export function describeChange({ before, state, mine, lang, text, money, duration }) {
  if (before === undefined) return [];
  const said = [];
  const name = (stage) => stage.label?.[lang] ?? '';
  if (before.phase !== state.phase && state.phase !== 'running')
    said.push(['assertive', 'phase', text(lang, state.phase)]);
  if (state.shifts.length > before.shifts.length) {
    said.push(['assertive', 'shift', text(lang, 'extended', { n: state.shifts.at(-1).seconds })]);
  }
  for (let index = Math.max(before.current_stage, 0); index < state.current_stage; index += 1) {
    const stage = state.stages[index];
    if (stage?.type !== 'bids' || stage.bidder_id === mine?.bidder_id) continue;
    const parameters = { bidder: name(stage), amount: money(lang, stage.amount, state.value?.currency) };
    said.push(['polite', 'turn', text(lang, stage.changed ? 'turnClosed' : 'turnUnchanged', parameters)]);
  }
  const { current_stage: at, stages } = state;
  if (before.current_stage < at && stages[at]?.type === 'pause') {
    const n = stages.slice(0, at + 1).filter(({ type }) => type === 'pause').length;
    const time = duration(lang, stages[at].start, stages[at + 1].start);
    said.push(['polite', 'pause', text(lang, 'pauseFor', { n, time })]);
  }
  return said;
}

/** What is said before the own turn, and before its end: `at` in seconds that are left. */
const REMINDERS = [
  { of: 'untilTurn', at: 60, region: 'polite', key: 'turnSoon' },
  { of: 'untilTurnEnd', at: 30, region: 'assertive', key: 'secondsLeft' },
  { of: 'untilTurnEnd', at: 10, region: 'assertive', key: 'secondsLeft' },
];

/** A page that slept or was busy drops a reminder that is later than this: it is no longer true. */
const LATE_SECONDS_MAX = 5;

/**
 * What is said when a countdown went from `before` to `seconds`. `target` names what it counts down to. `before` is absent when it
 * counts down to something new: a bidder who enters with 20 s left hears only the reminder at 10 s.
 */
export function selectReminders({ target, before, seconds, lang, text }) {
  if (before === undefined) return [];
  return REMINDERS.filter(
    ({ of, at }) => of === target && before > at && seconds <= at && seconds > at - LATE_SECONDS_MAX,
  ).map(({ at, region, key }) => [region, 'reminder', text(lang, key, { n: at })]);
}

/** What is said when the bidder's own turn begins. */
export function turnBegins({ state, mine, lang, text, money, duration }) {
  if (mine.limit === null) return text(lang, 'yourTurnNoLimit');
  const time = duration(lang, mine.turn.starts, mine.turn.ends);
  return text(lang, 'turnBegins', { time, limit: money(lang, mine.limit, state.value?.currency) });
}
