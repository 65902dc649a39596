import { formatLocalDate, parseInstant } from '@procurement/contracts/reading/instant';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fixtureNamed, FIXTURES, fixtureText, buildPlan, type Fixture } from '../../test-support/fixtures.ts';
import { answerTo, finish, plannedAuction, playFixture, type PlayedAuction } from '../../test-support/play-fixture.ts';
import type { Auction, PriceLine } from './auction.ts';
import { printDecimal } from './decimal.ts';
import { limitOf } from './offer.rules.ts';
import { protocolFile } from './protocol.ts';
import { publicState } from './public-document.ts';
import { resultsReport } from './report.ts';
import { roundAndTurn, stageKind } from './timetable.ts';

/** Two libraries. By the older rules 1234e567 is a number and `no` a boolean. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'yaml, version 1.2': (text) => parse(text),
  'yaml, version 1.1': (text) => parse(text, { version: '1.1' }),
  'js-yaml': (text) => load(text),
};

describe.each(FIXTURES)('worked auction $name', (fixture) => {
  it('answers every step as worked out', () => {
    const played = plannedAuction(fixture);
    for (const [index, step] of fixture.timeline.entries()) {
      // Links are not part of the decision: session/links.ts.
      if (step.secret !== undefined) continue;
      const shifted = played.state().shifts.length;
      const answer = answerTo(step, index, played);
      if (step.answer !== undefined) expect(answer, step.at).toEqual(step.answer);
      const seconds = played
        .state()
        .shifts.slice(shifted)
        .reduce((sum, shift) => sum + shift.seconds, 0);
      if (step.shiftSeconds !== undefined && fixture.expect.phase !== 'missed') {
        expect(seconds, step.at).toBe(step.shiftSeconds);
      }
    }
  });

  it('has the timetable, turns and results as worked out', () => {
    const played = playFixture(fixture);
    expect(buildSummary(played)).toEqual(expectedSummary(fixture));
  });

  it('counts the features that count for it', () => {
    expect(buildPlan(fixture).tender.features).toEqual(fixture.auction.features);
  });
});

describe.each(FIXTURES.filter(({ expect: { reported } }) => reported !== false))('worked auction $name', (fixture) => {
  const auction = playFixture(fixture).state();

  it('reports its results as worked out', () => {
    expect(resultsReport(auction)).toEqual(fixture.expect.report);
    expect(auction.results.at(-1)?.bid).toBe(fixture.expect.winner);
  });

  it('publishes its protocol as worked out, for each reader of YAML (A5)', () => {
    for (const [reader, read] of Object.entries(READERS))
      expect(read(protocolFile(auction)), reader).toEqual(fixture.expect.audit);
  });
});

describe.each(FIXTURES.filter(({ expect: { reported } }) => reported === false))('worked auction $name', (fixture) => {
  it('reports nothing', () => {
    const { phase, results, reportBegun } = playFixture(fixture).state();
    expect({ phase, results, reportBegun }).toEqual({ phase: fixture.expect.phase, results: [], reportBegun: false });
  });
});

describe('the published protocol', () => {
  it('is byte for byte that of audit-08.yaml, with the identities', () => {
    const identity = (name: string, id: string) => [{ name, identifier: { scheme: 'UA-EDR', id } }];
    const file = protocolFile(playFixture(fixtureNamed('08-features')).state(), {
      a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8a8: identity('ТОВ «Папір»', '37100330'),
      a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9: identity('ФОП Коваль О. І.', '37100331'),
    });
    expect(file).toBe(fixtureText('audit-08.yaml'));
  });
});

describe('what everybody sees', () => {
  const { names, views } = JSON.parse(fixtureText('public-views.json'));

  it.each(views as readonly { fixture: string; at: string; view: object }[])(
    'of $fixture at $at',
    ({ fixture, at, view }) => {
      const played = playUntil(fixtureNamed(fixture), at);
      if (played.state().phase === 'announced') played.run(buildRevealNames(names), parseInstant(at));
      const {
        seq: _seq,
        endDate: _endDate,
        shifts: _shifts,
        timer: _timer,
        ...shownView
      } = publicState(played.state(), parseInstant(at));
      expect(shownView).toStrictEqual(view);
    },
  );
});

/** The state at one moment; the results are accepted at once. */
function playUntil(fixture: Fixture, at: string): PlayedAuction {
  const played = plannedAuction(fixture);
  const steps = fixture.timeline.filter((step) => step.at <= at);
  for (const [index, step] of steps.entries()) answerTo(step, index, played);
  played.run({ type: 'Tick' }, parseInstant(at));
  const announcement = played.state().starts.at(-1);
  if (announcement !== undefined && announcement <= parseInstant(at)) finish(played);
  return played;
}

function buildRevealNames(names: Readonly<Record<string, { name: string; name_en?: string }>>) {
  const labels = Object.entries(names).map(([bid, { name, name_en: en = name }]) => [bid, { uk: name, en, ru: name }]);
  return { type: 'RevealNames', labels: Object.fromEntries(labels) } as const;
}

function buildSummary(played: PlayedAuction) {
  const auction = played.state();
  const bidders = auction.bids.length;
  return {
    phase: auction.phase,
    current_stage: publicState(auction, auction.plan.startAt).current_stage,
    table: auction.starts.map((start, stage) => {
      const type = stageKind(bidders, stage);
      const { round, turn } = roundAndTurn(bidders, stage);
      const place = type === 'bids' ? { round: round + 1, turn: turn + 1 } : {};
      return { stage, type, start: formatLocalDate(start), ...place };
    }),
    labels: auction.numbers,
    orders: Object.fromEntries(auction.orders.map((order, round) => [`round_${round + 1}`, order])),
    turns: auction.turns.map((turn) => ({
      stage: turn.stage,
      round: roundAndTurn(bidders, turn.stage).round + 1,
      turn: roundAndTurn(bidders, turn.stage).turn + 1,
      ...shown(turn),
      limit: limitBefore(played, turn.stage, turn.bid),
      closed: formatLocalDate(turn.closedAt),
      changed: turn.changed,
    })),
    shifts: auction.shifts.map(({ from, until, seconds }) => ({
      from: formatLocalDate(from),
      until: formatLocalDate(until),
      seconds,
    })),
    results: auction.results.map(shown),
  };
}

function expectedSummary({ expect: expected, auction }: Fixture) {
  const { phase, current_stage, table, labels = {}, orders = {}, turns = [], shifts = [], results = [] } = expected;
  expect(auction.auction_type).toBe(auction.features.length > 0 ? 'meat' : 'default');
  return { phase, current_stage, table, labels, orders, turns, shifts, results };
}

function shown({ bid, amount, timeText, amountFeatures, coeficient }: PriceLine) {
  return {
    bidder: bid,
    amount,
    time: timeText,
    ...(amountFeatures === undefined ? {} : { amount_features: amountFeatures, coeficient }),
  };
}

/** The limit by the prices that the bidder had before that turn. */
function limitBefore(played: PlayedAuction, stage: number, bid: string): string {
  const auction = played.state();
  const earlier = auction.turns.findLast((turn) => turn.bid === bid && turn.stage < stage);
  const opening = auction.plan.bids.find(({ id }) => id === bid);
  const entry = earlier?.amount ?? opening?.amount ?? 0;
  const then: Auction = {
    ...auction,
    bids: auction.bids.map((one) => (one.id === bid ? { ...one, amount: entry } : one)),
  };
  return printDecimal(limitOf(then, bid));
}
