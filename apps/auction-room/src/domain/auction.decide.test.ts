import { addMicros, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { fixtureNamed, buildPlan } from '../../test-support/fixtures.ts';
import { finish, plannedAuction, playFixture, type PlayedAuction } from '../../test-support/play-fixture.ts';
import type { Phase } from './auction.ts';
import { decide, PHASES } from './auction.decide.ts';
import { nextTimer } from './auction.timers.ts';
import type { Command, CommandType } from './commands.ts';
import { publicDocument } from './public-document.ts';
import { bidderView, offerAnswer } from './bidder-view.ts';

const FIXTURE = fixtureNamed('01-two-bidders');
const PLAN = buildPlan(FIXTURE);
const [SECOND_BIDDER = '', FIRST_BIDDER = ''] = PLAN.bids.map(({ id }) => id);
const at = (seconds: number): Instant => addMicros(PLAN.startAt, seconds * SECOND);

const COMMANDS: { readonly [T in CommandType]: Extract<Command, { type: T }> } = {
  Plan: { type: 'Plan', plan: { ...PLAN, startAt: at(86_400) } },
  Tick: { type: 'Tick' },
  PlaceOffer: { type: 'PlaceOffer', bid: FIRST_BIDDER, amount: 400, offerId: 'offer-1' },
  WithdrawOffer: { type: 'WithdrawOffer', bid: FIRST_BIDDER, offerId: 'offer-2' },
  ComeBack: { type: 'ComeBack', awayFrom: at(310), awayUntil: at(1_500) },
  Cancel: { type: 'Cancel', reason: 'tender cancelled' },
  Void: { type: 'Void' },
  NoteLinks: { type: 'NoteLinks' },
  BeginReport: { type: 'BeginReport' },
  NoteResults: { type: 'NoteResults', outcome: 'accepted' },
  NoteProtocol: { type: 'NoteProtocol', documentId: 'd0'.repeat(16), version: 1 },
  RevealNames: { type: 'RevealNames', labels: { [FIRST_BIDDER]: { uk: 'ТОВ', en: 'LLC', ru: 'ООО' } } },
  NoteConflict: { type: 'NoteConflict', reason: 'other results' },
  RenewLink: { type: 'RenewLink', bid: FIRST_BIDDER },
  Enter: { type: 'Enter', bid: FIRST_BIDDER, generation: 1 },
  TryAgain: { type: 'TryAgain', by: { operator: 'petro', reason: 'a test' } },
};

/** The phase that each command leads to from each phase, in the first turn or at the end; absent: it stays. */
const TRANSITIONS: Readonly<Record<Phase, Partial<Record<CommandType, Phase>>>> = {
  planned: { Cancel: 'cancelled', Void: 'missed', ComeBack: 'missed' },
  running: { Cancel: 'cancelled', Void: 'missed', ComeBack: 'missed' },
  finished: { Cancel: 'cancelled', Void: 'missed', NoteResults: 'announced' },
  announced: {},
  cancelled: {},
  missed: { Plan: 'planned' },
};

/** An auction in each phase, and a moment at which no stage is due. */
const REACHED: Readonly<Record<Phase, () => { readonly played: PlayedAuction; readonly now: Instant }>> = {
  planned: () => ({ played: plannedAuction(FIXTURE), now: at(-60) }),
  running: () => reached([], at(310)),
  finished: () => reached([], at(1_500)),
  announced: () => ({ played: playFixture(FIXTURE), now: at(9_000) }),
  cancelled: () => reached([COMMANDS.Cancel], at(310)),
  missed: () => reached([COMMANDS.Void], at(310)),
};

function reached(commands: readonly Command[], now: Instant): { played: PlayedAuction; now: Instant } {
  const played = plannedAuction(FIXTURE);
  for (const command of [COMMANDS.Tick, ...commands]) played.run(command, now);
  return { played, now };
}

const phases = Object.keys(TRANSITIONS) as Phase[];
const commands = Object.keys(COMMANDS) as CommandType[];

describe('phases (auction-room.md 3.3)', () => {
  it.each(phases.flatMap((phase) => commands.map((command) => [phase, command] as const)))(
    '%s and %s',
    (phase, type) => {
      const { played, now } = REACHED[phase]();
      expect(played.state().phase).toBe(phase);
      const seq = played.state().seq;
      const refused = played.run(COMMANDS[type], now);
      expect(played.state().phase).toBe(TRANSITIONS[phase][type] ?? phase);
      if (!PHASES[type].in.includes(phase)) expect(played.state().seq).toBe(seq);
      if (refused !== undefined) expect(played.state().seq).toBe(seq);
    },
  );

  it('refuses everything but a plan for an auction that nobody planned', () => {
    for (const type of commands) {
      const decision = decide(undefined, COMMANDS[type], at(0));
      expect('refused' in decision ? decision.refused.code : 'accepted').toBe(
        type === 'Plan' ? 'accepted' : 'auction.not-found',
      );
    }
  });
});

describe('Plan', () => {
  it('changes nothing when it repeats the plan, and moves an auction that has not begun', () => {
    const played = plannedAuction(FIXTURE);
    played.run({ type: 'NoteLinks' }, at(-120));
    const { seq } = played.state();
    played.run({ type: 'Plan', plan: PLAN }, at(-100));
    expect(played.state().seq).toBe(seq);
    played.run(COMMANDS.Plan, at(-100));
    expect(played.state()).toMatchObject({ plan: { startAt: at(86_400) }, linksPublished: true });
  });

  it('is ignored once the auction runs', () => {
    const { played, now } = REACHED.running();
    played.run(COMMANDS.Plan, now);
    expect(played.state().plan.startAt).toBe(PLAN.startAt);
  });

  it('leaves a missed auction missed until it has another start', () => {
    const { played, now } = REACHED.missed();
    played.run({ type: 'Plan', plan: { ...PLAN, bids: PLAN.bids.toReversed() } }, now);
    expect(played.state().phase).toBe('missed');
  });

  it('keeps the generation of a renewed link, and how often it was opened', () => {
    const played = plannedAuction(FIXTURE);
    played.run(COMMANDS.Enter, at(-110));
    played.run(COMMANDS.RenewLink, at(-100));
    expect(played.state().linksPublished).toBe(false);
    played.run(COMMANDS.Plan, at(-90));
    expect(played.state().bids.map(({ generation, entries }) => [generation, entries])).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });
});

describe('sessions of a link', () => {
  const offer = { ...COMMANDS.PlaceOffer, generation: 1 };

  it('are the five newest: another one ends the oldest, of this bidder only', () => {
    const played = plannedAuction(FIXTURE);
    for (let entry = 1; entry <= 6; entry += 1) played.run(COMMANDS.Enter, at(-60));
    const runWithEntry = (entry: number) => played.run({ ...offer, offerId: `offer-${entry}`, entry }, at(310))?.code;
    expect([1, 2, 6].map(runWithEntry)).toEqual(['session.required', undefined, undefined]);
    expect(played.run({ ...offer, bid: SECOND_BIDDER, entry: 0 }, at(310))?.code).toBe('offer.not-your-turn');
  });

  it('are not opened by a link that was renewed, nor by a bidder that takes no part', () => {
    const played = plannedAuction(FIXTURE);
    played.run(COMMANDS.RenewLink, at(-100));
    expect(played.run(COMMANDS.Enter, at(-60))?.code).toBe('session.required');
    expect(played.run({ ...COMMANDS.Enter, bid: 'f'.repeat(32) }, at(-60))?.code).toBe('session.required');
  });

  it('do not show to everybody', () => {
    const { played, now } = REACHED.running();
    const before = publicDocument(played.state(), now);
    played.run(COMMANDS.Enter, now);
    expect(publicDocument(played.state(), now)).toEqual(before);
  });
});

describe('offers', () => {
  it('opens the turn that is due, so that nobody loses time by a late timer', () => {
    const played = plannedAuction(FIXTURE);
    expect(played.run(COMMANDS.PlaceOffer, at(301))).toBeUndefined();
    expect(played.log().map(({ type }) => type)).toEqual([
      'AuctionPlanned',
      'StageStarted',
      'StageStarted',
      'OfferPlaced',
    ]);
  });

  it('refuses an offer that arrived in the turn and is recorded after it', () => {
    const { played } = reached([], at(420));
    expect(played.run(COMMANDS.PlaceOffer, at(419))?.code).toBe('offer.recorded-too-late');
    const other = { ...COMMANDS.PlaceOffer, bid: SECOND_BIDDER };
    expect(played.run(other, at(419))?.code).toBe('offer.not-your-turn');
    expect(played.run(other, at(299))?.code).toBe('offer.no-turn');
  });

  it('names the limit in the refusal of a larger amount', () => {
    const { played, now } = REACHED.running();
    expect(played.run({ ...COMMANDS.PlaceOffer, amount: 444.01 }, now)).toMatchObject({
      code: 'offer.too-high',
      status: 422,
      limit: 444,
    });
  });

  it('answers a repeat with what was accepted and what stands now, in any later turn', () => {
    const { played, now } = REACHED.running();
    played.run(COMMANDS.PlaceOffer, now);
    expect(offerAnswer(played.state(), FIRST_BIDDER, 'offer-1', false)).toMatchObject({
      accepted: 400,
      stage: 1,
      stands: 400,
      limit: 444,
    });
    expect(played.run(COMMANDS.PlaceOffer, at(430))).toBeUndefined();
    expect(offerAnswer(played.state(), FIRST_BIDDER, 'offer-1', true)).toMatchObject({
      accepted: 400,
      stands: null,
      limit: null,
      repeat: true,
    });
  });

  it('refuses a withdrawal under the id of an offer', () => {
    const { played, now } = REACHED.running();
    played.run(COMMANDS.PlaceOffer, now);
    expect(played.run({ type: 'WithdrawOffer', bid: FIRST_BIDDER, offerId: 'offer-1' }, now)?.code).toBe(
      'offer.id-used',
    );
  });

  it('remembers the last 50 ids of a bidder', () => {
    const { played, now } = REACHED.running();
    for (let index = 0; index <= 50; index += 1) {
      played.run({ ...COMMANDS.PlaceOffer, offerId: `offer-${index}` }, now);
    }
    expect(played.state().offers[FIRST_BIDDER]).toHaveLength(50);
    expect(offerAnswer(played.state(), FIRST_BIDDER, 'offer-0', true)).toBeUndefined();
  });
});

describe('what a bidder sees of its own bid', () => {
  it('is its next turn, and in the open one limit and offer', () => {
    const played = plannedAuction(FIXTURE);
    expect(bidderView(played.state(), FIRST_BIDDER)).toMatchObject({ number: null, turn: null, limit: null });
    played.run(COMMANDS.Tick, at(1));
    expect(bidderView(played.state(), FIRST_BIDDER)).toMatchObject({ number: 1, turn: { stage: 1 }, limit: null });
    expect(bidderView(played.state(), SECOND_BIDDER)?.turn).toEqual({
      stage: 2,
      starts: '2017-02-16T11:19:34+02:00',
      ends: '2017-02-16T11:21:34+02:00',
    });
    played.run(COMMANDS.PlaceOffer, at(310));
    expect(bidderView(played.state(), FIRST_BIDDER)).toMatchObject({
      turn: { stage: 1 },
      limit: 444,
      stands: 400,
      amount: 479,
    });
    expect(bidderView(played.state(), SECOND_BIDDER)).toMatchObject({ limit: null, stands: null });
    // The first turn is over and lowered its price: by the present order it is last in the next round.
    played.run(COMMANDS.Tick, at(430));
    expect(bidderView(played.state(), FIRST_BIDDER)).toMatchObject({ turn: { stage: 5 }, amount: 400 });
    finish(played);
    expect(bidderView(played.state(), FIRST_BIDDER)?.turn).toBeNull();
    expect(bidderView(played.state(), 'a0'.repeat(16))).toBeUndefined();
  });
});

describe('outages', () => {
  it('lengthen an accelerated auction whose opening pause was over before the room came back', () => {
    const played = plannedAuction(fixtureNamed('18-accelerated'));
    const { startAt } = played.state().plan;
    const until = addMicros(startAt, 20 * SECOND);
    played.run({ type: 'ComeBack', awayFrom: addMicros(startAt, -SECOND), awayUntil: until }, until);
    expect(played.state()).toMatchObject({ phase: 'running', currentStage: 1, shifts: [{ seconds: 15 }] });
    expect(played.state().starts[1]).toBe(until);
  });

  it('count from the begin of the stage when it began after the room was last seen', () => {
    const { played } = reached([], at(420));
    played.run({ type: 'ComeBack', awayFrom: at(419.5), awayUntil: at(426) }, at(426));
    expect(played.state().shifts).toEqual([{ from: at(420), until: at(426), seconds: 6 }]);
    expect(played.state().starts.slice(1, 4)).toEqual([at(300), at(420), at(546)]);
  });
});

describe('the report', () => {
  it('begins at the announcement, and nothing can void the auction from then on', () => {
    const { played, now } = REACHED.finished();
    expect(played.run({ type: 'BeginReport' }, at(1_379))?.code).toBe('auction.phase');
    played.run({ type: 'BeginReport' }, now);
    expect(played.run({ type: 'Void' }, now)?.code).toBe('auction.report-begun');
    played.run({ type: 'NoteResults', outcome: 'refused' }, now);
    expect(played.state().phase).toBe('finished');
  });

  it('announces the results when they were accepted, not before', () => {
    const { played, now } = REACHED.finished();
    expect(nextTimer(played.state())).toBeUndefined();
    played.run({ type: 'NoteResults', outcome: 'accepted' }, now);
    expect(played.log().at(-1)).toEqual({ type: 'AuctionAnnounced', at: now });
  });
});
