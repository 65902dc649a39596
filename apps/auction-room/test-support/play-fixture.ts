import { addMicros, HOUR, parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { Auction } from '../src/domain/auction.ts';
import { decide, foldOnto } from '../src/domain/auction.decide.ts';
import { evolve } from '../src/domain/auction.evolve.ts';
import type { Command } from '../src/domain/commands.ts';
import type { AuctionEvent } from '../src/domain/events.ts';
import { offerAnswer } from '../src/domain/bidder-view.ts';
import type { Refusal } from '../src/domain/refusals.ts';
import { buildPlan, plannedAt, type Fixture, type FixtureStep } from './fixtures.ts';

/** An auction in memory: what the store does in a database. */
export interface PlayedAuction {
  state(): Auction;
  log(): readonly AuctionEvent[];
  /** Appends the events of the decision, or answers its refusal. */
  run(command: Command, now: Instant): Refusal | undefined;
}

export function plannedAuction(fixture: Fixture): PlayedAuction {
  const log: AuctionEvent[] = [];
  let state = evolve(undefined, { type: 'AuctionPlanned', at: plannedAt(fixture), plan: buildPlan(fixture) });
  log.push({ type: 'AuctionPlanned', at: plannedAt(fixture), plan: buildPlan(fixture) });
  return {
    state: () => state,
    log: () => log,
    run(command, now) {
      const decision = decide(state, command, now);
      if ('refused' in decision) return decision.refused;
      log.push(...decision.accepted);
      state = foldOnto(state, decision.accepted);
      return undefined;
    },
  };
}

/** The command of a step. Offers of fixtures without an id have one of their own. */
export function buildCommand(step: FixtureStep, index: number): Command {
  switch (step.do) {
    case 'offer': {
      const { bidder: bid = '', amount, offerId = `offer-${index}` } = step;
      return amount === -1 ? { type: 'WithdrawOffer', bid, offerId } : { type: 'PlaceOffer', bid, amount, offerId };
    }
    case 'outage':
      return { type: 'ComeBack', awayFrom: parseInstant(step.at), awayUntil: parseInstant(step.until ?? step.at) };
    case 'cancel':
      return { type: 'Cancel', reason: 'tender cancelled' };
    case 'tick':
      return { type: 'Tick' };
  }
}

/** What the room answers to an offer, in the words of the fixtures. */
export function answerTo(step: FixtureStep, index: number, played: PlayedAuction): unknown {
  const command = buildCommand(step, index);
  const seq = played.state().seq;
  const refused = played.run(command, parseInstant(step.until ?? step.at));
  if (refused !== undefined) return { refused: refused.description };
  if (command.type !== 'PlaceOffer' && command.type !== 'WithdrawOffer') return undefined;
  const isRepeat = !played
    .log()
    .slice(seq)
    .some((event) => 'offerId' in event && event.offerId === command.offerId);
  const answer = offerAnswer(played.state(), command.bid, command.offerId, isRepeat);
  return {
    accepted: answer?.accepted ?? -1,
    stands: answer?.stands,
    ...(answer?.repeat === true ? { repeat: true } : {}),
  };
}

/** Runs the clock to the end, and reports the results of a finished auction. */
export function finish(played: PlayedAuction): void {
  const end = addMicros(played.state().starts.at(-1) ?? played.state().plan.startAt, HOUR);
  played.run({ type: 'Tick' }, end);
  if (played.state().phase !== 'finished') return;
  played.run({ type: 'BeginReport' }, end);
  played.run({ type: 'NoteResults', outcome: 'accepted' }, end);
}

/** Plays the whole timeline, and ends the auction. */
export function playFixture(fixture: Fixture): PlayedAuction {
  const played = plannedAuction(fixture);
  for (const [index, step] of fixture.timeline.entries()) {
    if (step.secret === undefined) answerTo(step, index, played);
  }
  finish(played);
  return played;
}
