import { addMicros, SECOND } from '@procurement/contracts/reading/instant';
import { decide, foldOnto } from '../src/domain/auction.decide.ts';
import { evolve } from '../src/domain/auction.evolve.ts';
import type { Auction, AuctionPlan } from '../src/domain/auction.ts';
import { fixtureNamed, FIXTURES, plannedAt, buildPlan } from '../test-support/fixtures.ts';
import { playFixture } from '../test-support/play-fixture.ts';

const BIDDERS = 10;
const MEASURE_MS = 2_000;
/** Time after the start, when the opening pause is over. */
const IN_FIRST_TURN = 310 * SECOND;

/** Events folded in a second, from the logs of all worked auctions. */
function foldRate(): number {
  const logs = FIXTURES.map((fixture) => playFixture(fixture).log());
  const rounds = perSecond(() => {
    for (const log of logs) {
      let auction: Auction | undefined;
      for (const event of log) auction = evolve(auction, event);
    }
  });
  return rounds * logs.reduce((sum, log) => sum + log.length, 0);
}

/** Offers decided in a second, with ten bidders and features. */
function offerRate(): number {
  const fixture = fixtureNamed('08-features');
  const plan = tenBidders(buildPlan(fixture));
  const now = addMicros(plan.startAt, IN_FIRST_TURN);
  const planned = evolve(undefined, { type: 'AuctionPlanned', at: plannedAt(fixture), plan });
  const ticked = decide(planned, { type: 'Tick' }, now);
  const auction = foldOnto(planned, 'accepted' in ticked ? ticked.accepted : []);
  let n = 0;
  const isAccepted = (bid: string): boolean => {
    n += 1;
    const decision = decide(auction, { type: 'PlaceOffer', bid, amount: 100, offerId: `offer-${n}` }, now);
    return 'accepted' in decision && decision.accepted.length > 0;
  };
  const inTurn = plan.bids.map(({ id }) => id).find(isAccepted);
  if (inTurn === undefined) throw new Error('nobody has the turn');
  return perSecond(() => isAccepted(inTurn));
}

/** Repeats the bids of the plan under other ids until there are ten. */
function tenBidders(plan: AuctionPlan): AuctionPlan {
  const bids = Array.from({ length: BIDDERS }, (_, n) => {
    const bid = plan.bids[n % plan.bids.length];
    if (bid === undefined) throw new Error('a plan without bids');
    return { ...bid, id: n.toString(16).padStart(32, 'b') };
  });
  return { ...plan, bids, record: bids.map(({ id }) => ({ id })) };
}

/** Calls in a second, measured after a warm-up of the same length. */
function perSecond(work: () => void): number {
  callsPerSecond(work);
  return callsPerSecond(work);
}

function callsPerSecond(work: () => void): number {
  const beganMs = performance.now();
  let calls = 0;
  while (performance.now() - beganMs < MEASURE_MS) {
    work();
    calls += 1;
  }
  return (calls * 1_000) / (performance.now() - beganMs);
}

// For `npm run bench -- auctions`.
process.stdout.write(JSON.stringify({ folded: foldRate(), decided: offerRate() }));
