import type { Instant } from '@procurement/contracts/reading/instant';
import type { Auction, OfferOutcome } from './auction.ts';
import type { Entrant } from './commands.ts';
import { compareDecimals, toDecimal, numberAtMost, subtract, type Decimal } from './decimal.ts';
import { refusal, type Refusal } from './refusals.ts';
import { roundAndTurn, stageAt, stageKind } from './timetable.ts';

/** The turn that is open, or nothing. */
export interface OpenTurn {
  readonly stage: number;
  readonly bid: string;
}

export function openTurn(auction: Auction): OpenTurn | undefined {
  if (auction.phase !== 'running') return undefined;
  return turnAt(auction, auction.currentStage);
}

/** The turn of a stage, with its bidder. Undefined until the order of its round is fixed, and for a stage that is no turn. */
export function turnAt(auction: Auction, stage: number): OpenTurn | undefined {
  const bidders = auction.bids.length;
  if (stage < 0 || stageKind(bidders, stage) !== 'bids') return undefined;
  const { round, turn } = roundAndTurn(bidders, stage);
  const bid = auction.orders[round]?.[turn];
  return bid === undefined ? undefined : { stage, bid };
}

/** The amount of entry less the minimal step, in decimal arithmetic: 0.3 - 0.1 is 0.2. */
export function limitOf(auction: Auction, bid: string): Decimal {
  const entry = auction.bids.find(({ id }) => id === bid);
  if (entry === undefined) throw new Error(`no bid ${bid} in auction ${auction.plan.id}`);
  return subtract(toDecimal(entry.amount), toDecimal(auction.plan.tender.minimalStep));
}

/** The limit as a number, never above the exact one. Undefined when the step leaves nothing to offer. */
export function limitNumber(auction: Auction, bid: string): number | undefined {
  const limit = limitOf(auction, bid);
  return limit.units > 0n ? numberAtMost(limit) : undefined;
}

/** What became of an earlier offer with this id. */
export function findOutcome(auction: Auction, bid: string, offerId: string): OfferOutcome | undefined {
  return auction.offers[bid]?.find((outcome) => outcome.offerId === offerId);
}

/** Sessions of one link at a time: a new one ends the oldest. */
const SESSIONS_MAX = 5;

/** Whether the bidder takes part, and neither a renewed link nor newer sessions have ended how it came in. */
export function isEntrant(auction: Auction, { bid, generation, entry }: Entrant): boolean {
  const own = auction.bids.find(({ id }) => id === bid);
  if (own === undefined) return false;
  return (generation ?? own.generation) === own.generation && (entry ?? own.entries) > own.entries - SESSIONS_MAX;
}

/** Refuses a bidder whose session is over. */
export function judgeLink(auction: Auction, entrant: Entrant): Refusal | undefined {
  const takesPart = auction.bids.some(({ id }) => id === entrant.bid);
  return takesPart && !isEntrant(auction, entrant) ? refusal('session.required') : undefined;
}

/** Refuses a bidder that takes no part, and an offer id that was used for something else. */
export function judgeOfferId(
  auction: Auction,
  {
    bid,
    offerId,
    amount,
  }: { readonly bid: string; readonly offerId: string; readonly amount: number | null | undefined },
): Refusal | undefined {
  if (!auction.bids.some(({ id }) => id === bid)) return refusal('offer.unknown-bidder', { bid });
  const outcome = findOutcome(auction, bid, offerId);
  return outcome === undefined || outcome.amount === amount ? undefined : refusal('offer.id-used');
}

/** Refuses a bidder whose turn is not open at `now`. */
export function judgeTurn(auction: Auction, bid: string, now: Instant): Refusal | undefined {
  const open = openTurn(auction);
  const started = auction.starts[auction.currentStage];
  if (auction.currentStage >= 0 && started !== undefined && now < started) return judgeClosedTurn(auction, bid, now);
  if (open === undefined) return refusal('offer.no-turn');
  return open.bid === bid ? undefined : refusal('offer.not-your-turn');
}

/** The offer arrived before the present stage began, and is recorded after that (auction-room.md 6.4). */
function judgeClosedTurn(auction: Auction, bid: string, now: Instant): Refusal {
  const then = turnAt(auction, stageAt(auction.starts, now));
  if (then === undefined) return refusal('offer.no-turn');
  return refusal(then.bid === bid ? 'offer.recorded-too-late' : 'offer.not-your-turn');
}

/** Refuses an amount that the open turn of the bidder does not accept. */
export function judgeAmount(auction: Auction, bid: string, amount: number | undefined): Refusal | undefined {
  if (amount === undefined) return refusal('offer.amount-required');
  if (amount <= 0) return refusal('offer.too-low');
  if (compareDecimals(toDecimal(amount), limitOf(auction, bid)) <= 0) return undefined;
  const limit = limitNumber(auction, bid);
  return refusal('offer.too-high', limit === undefined ? {} : { limit });
}
