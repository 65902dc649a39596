import { addMicros, formatLocalDate, parseInstant, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import fc from 'fast-check';
import type { Auction, AuctionPlan } from '../src/domain/auction.ts';
import { decide, foldOnto } from '../src/domain/auction.decide.ts';
import { evolve } from '../src/domain/auction.evolve.ts';
import type { Command } from '../src/domain/commands.ts';
import type { AuctionEvent } from '../src/domain/events.ts';
import { limitNumber, openTurn } from '../src/domain/offer.rules.ts';
import type { Refusal } from '../src/domain/refusals.ts';
import { stageLengths } from '../src/domain/timetable.ts';

/** One thing that happens to an auction. What an offer is depends on the state: mostly its bidder has the open turn. */
export type Op =
  | { readonly op: 'wait'; readonly micros: number }
  | { readonly op: 'tick' }
  /** `share` of the limit. `early`: the offer arrived so many microseconds ago. */
  | { readonly op: 'offer'; readonly share: number; readonly early: number }
  | { readonly op: 'withdraw' }
  | { readonly op: 'repeat' }
  | { readonly op: 'intrude'; readonly bidder: number; readonly amount: number }
  | { readonly op: 'outage'; readonly micros: number; readonly lag: number }
  | { readonly op: 'enter'; readonly bidder: number }
  | { readonly op: 'cancel' }
  | { readonly op: 'replan' };

export interface Step {
  readonly command: Command;
  readonly now: Instant;
  readonly before: Auction;
  readonly after: Auction;
  readonly events: readonly AuctionEvent[];
  readonly refused: Refusal | undefined;
}

const START = parseInstant('2026-11-23T11:00:00+02:00');

const arbitraryBid = fc.record({
  // Few values: ties are the interesting case.
  amount: fc.constantFrom(100, 100.1, 99.99, 450, 500, 1000),
  day: fc.integer({ min: 1, max: 3 }),
  weights: fc.tuple(fc.constantFrom(0, 0.05, 0.1), fc.constantFrom(0, 0.07)),
});

export const arbitraryPlan: fc.Arbitrary<AuctionPlan> = fc
  .record({
    bids: fc.array(arbitraryBid, { minLength: 2, maxLength: 8 }),
    features: fc.boolean(),
    step: fc.constantFrom(0, 0.1, 0.25, 10, 99.99),
    accelerator: fc.constantFrom(1, 24, 1440),
  })
  .map(({ bids, features, step, accelerator }) => ({
    id: 'c0'.repeat(16),
    tenderId: 'c0'.repeat(16),
    tender: {
      tenderID: 'UA-2026-11-23-000001',
      test: false,
      features: features
        ? [
            { code: 'years', featureOf: 'tenderer', enum: [{ value: 0 }, { value: 0.05 }, { value: 0.1 }] },
            { code: 'guarantee', featureOf: 'tenderer', enum: [{ value: 0 }, { value: 0.07 }] },
          ]
        : [],
      minimalStep: step,
      shown: {},
    },
    bids: bids.map(({ amount, day, weights: [years, guarantee] }, index) => ({
      id: `a${index}`.repeat(16),
      amount,
      date: `2026-11-1${day}T10:00:00+02:00`,
      parameters: [
        { code: 'years', value: years },
        { code: 'guarantee', value: guarantee },
      ],
    })),
    record: bids.map((_bid, index) => ({ id: `a${index}`.repeat(16) })),
    startAt: START,
    lengths: stageLengths(accelerator),
  }));

const micros = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: max * SECOND });

/** `lag`: how much earlier than its end the room was last seen alive. */
const arbitraryOp = (lagMax: number): fc.Arbitrary<Op> =>
  fc.oneof(
    { weight: 60, arbitrary: micros(150).map((waited): Op => ({ op: 'wait', micros: waited })) },
    {
      weight: 80,
      arbitrary: fc.record({
        op: fc.constant('offer' as const),
        share: fc.constantFrom(1, 1, 0.999, 0.5, 0.1),
        early: fc.constantFrom(0, 0, 0, 1, SECOND),
      }),
    },
    { weight: 20, arbitrary: fc.constant<Op>({ op: 'withdraw' }) },
    { weight: 20, arbitrary: fc.constant<Op>({ op: 'repeat' }) },
    { weight: 20, arbitrary: fc.constant<Op>({ op: 'tick' }) },
    {
      weight: 10,
      arbitrary: fc.record({
        op: fc.constant('intrude' as const),
        bidder: fc.nat({ max: 7 }),
        amount: fc.constantFrom(-1.5, 0, 0.01, 50, 1e9),
      }),
    },
    {
      weight: 10,
      arbitrary: fc.record({ op: fc.constant('outage' as const), micros: micros(200), lag: micros(lagMax) }),
    },
    { weight: 10, arbitrary: fc.record({ op: fc.constant('enter' as const), bidder: fc.nat({ max: 7 }) }) },
    { weight: 1, arbitrary: fc.constant<Op>({ op: 'cancel' }) },
    { weight: 1, arbitrary: fc.constant<Op>({ op: 'replan' }) },
  );

export const arbitraryOps = (lagMax = 0): fc.Arbitrary<readonly Op[]> =>
  fc.array(arbitraryOp(lagMax), { minLength: 5, maxLength: 80, size: 'max' });

/** What a run may do between two commands, as a store does that reads the state back, or a timer that ticks. */
export type Between = (auction: Auction, next: Command, now: Instant) => Auction;

/** Plays the operations, then lets the clock run to the end and the results be accepted. */
export function playOps(
  plan: AuctionPlan,
  ops: readonly Op[],
  between: Between = (auction) => auction,
): readonly Step[] {
  const steps: Step[] = [];
  let auction = evolve(undefined, { type: 'AuctionPlanned', at: addMicros(START, -SECOND), plan });
  let now = addMicros(START, -SECOND);
  const run = (command: Command, at: Instant): void => {
    const before = between(auction, command, at);
    const decision = decide(before, command, at);
    const events = 'refused' in decision ? [] : decision.accepted;
    auction = foldOnto(before, events);
    steps.push({
      command,
      now: at,
      before,
      after: auction,
      events,
      refused: 'refused' in decision ? decision.refused : undefined,
    });
  };
  for (const [index, op] of ops.entries()) {
    if (op.op === 'wait' || op.op === 'outage') now = addMicros(now, op.micros);
    const planned = buildCommand(op, index, now, steps, auction);
    if (planned !== undefined) run(planned.command, planned.at);
  }
  const end = addMicros(now, 7_200 * SECOND);
  run({ type: 'Tick' }, end);
  run({ type: 'BeginReport' }, end);
  run({ type: 'NoteResults', outcome: 'accepted' }, end);
  return steps;
}

/** The log of the auction, without its first event. */
export function logOf(steps: readonly Step[]): readonly AuctionEvent[] {
  return steps.flatMap(({ events }) => events);
}

export function finalState(steps: readonly Step[]): Auction {
  const last = steps.at(-1);
  if (last === undefined) throw new Error('nothing was played');
  return last.after;
}

function buildCommand(
  op: Op,
  index: number,
  now: Instant,
  steps: readonly Step[],
  auction: Auction,
): { readonly command: Command; readonly at: Instant } | undefined {
  const present = withDueStages(auction, now);
  const bid = openTurn(present)?.bid ?? present.bids[0]?.id ?? '';
  const offerId = `offer-${index}`;
  switch (op.op) {
    case 'wait':
      return undefined;
    case 'tick':
      return { command: { type: 'Tick' }, at: now };
    case 'offer': {
      const amount = (limitNumber(present, bid) ?? 1) * op.share;
      return { command: { type: 'PlaceOffer', bid, amount, offerId }, at: addMicros(now, -op.early) };
    }
    case 'withdraw':
      return { command: { type: 'WithdrawOffer', bid, offerId }, at: now };
    case 'repeat': {
      const last = steps.findLast(({ command }) => command.type === 'PlaceOffer');
      return last === undefined ? undefined : { command: last.command, at: now };
    }
    case 'intrude': {
      const intruder = present.bids[op.bidder % present.bids.length]?.id ?? '';
      return { command: { type: 'PlaceOffer', bid: intruder, amount: op.amount, offerId }, at: now };
    }
    case 'enter': {
      const own = present.bids[op.bidder % present.bids.length];
      return own && { command: { type: 'Enter', bid: own.id, generation: own.generation }, at: now };
    }
    case 'outage': {
      const from = addMicros(now, -op.micros - op.lag);
      return { command: { type: 'ComeBack', awayFrom: from, awayUntil: now }, at: now };
    }
    case 'cancel':
      return { command: { type: 'Cancel', reason: 'tender cancelled' }, at: now };
    case 'replan': {
      const plan = { ...auction.plan, startAt: addMicros(now, 60 * SECOND) };
      return { command: { type: 'Plan', plan: { ...plan, bids: withDates(plan) } }, at: now };
    }
  }
}

/** The state with the stages that are due, as the decision sees it. */
function withDueStages(auction: Auction, now: Instant): Auction {
  const decision = decide(auction, { type: 'Tick' }, now);
  return 'accepted' in decision ? foldOnto(auction, decision.accepted) : auction;
}

function withDates(plan: AuctionPlan): AuctionPlan['bids'] {
  return plan.bids.map((bid) => ({ ...bid, date: formatLocalDate(parseInstant(bid.date)) }));
}
