import { formatLocalDate } from '@procurement/contracts/reading/instant';
import type { Auction, BidState, OfferOutcome } from './auction.ts';
import { limitNumber, openTurn, findOutcome } from './offer.rules.ts';
import { worstFirst } from './ordering.ts';
import { roundAndTurn, ROUNDS } from './timetable.ts';

/** What a bidder alone sees of its own bid (auction-room.md 9.5). */
export interface BidderView {
  readonly bidder_id: string;
  /** `null` before the start. */
  readonly number: number | null;
  readonly amount: number;
  readonly time: string;
  readonly amount_features?: string;
  readonly coeficient?: string;
  readonly turn: { readonly stage: number; readonly starts: string; readonly ends: string } | null;
  /** The largest amount that the open turn of the bidder accepts; `null` in no such turn, or when nothing is left to offer. */
  readonly limit: number | null;
  /** What counts if the turn ended now; `null`: the amount of entry. */
  readonly stands: number | null;
}

/** The answer to an accepted offer (auction-room.md 9.4). */
export interface OfferAnswer {
  readonly offerId: string;
  /** `null`: withdrawn. */
  readonly accepted: number | null;
  readonly at: string;
  readonly stage: number;
  readonly stands: number | null;
  readonly limit: number | null;
  readonly repeat: boolean;
}

/** Undefined when the bid takes no part. */
export function bidderView(auction: Auction, bid: string): BidderView | undefined {
  const own = auction.bids.find(({ id }) => id === bid);
  return own === undefined ? undefined : describeBid(auction, own);
}

function describeBid(auction: Auction, { id, amount, timeText, amountFeatures, coeficient }: BidState): BidderView {
  return {
    bidder_id: id,
    number: auction.numbers[id] ?? null,
    amount,
    time: timeText,
    ...(amountFeatures === undefined ? {} : { amount_features: amountFeatures }),
    ...(coeficient === undefined ? {} : { coeficient }),
    turn: nextTurn(auction, id),
    ...standing(auction, id),
  };
}

/** What the auction answers to an offer id that it accepted, now or before. `auction` is the state after it. */
export function offerAnswer(auction: Auction, bid: string, offerId: string, repeat: boolean): OfferAnswer | undefined {
  const outcome: OfferOutcome | undefined = findOutcome(auction, bid, offerId);
  if (outcome === undefined) return undefined;
  const { amount, at, stage } = outcome;
  return { offerId, accepted: amount, at: formatLocalDate(at), stage, ...standing(auction, bid), repeat };
}

function standing(auction: Auction, bid: string): Pick<BidderView, 'limit' | 'stands'> {
  if (openTurn(auction)?.bid !== bid) return { limit: null, stands: null };
  return { limit: limitNumber(auction, bid) ?? null, stands: auction.posted?.amount ?? null };
}

/** The open or next turn of the bidder in this round, otherwise its turn in the next round as the order would be now. */
function nextTurn(auction: Auction, bid: string): BidderView['turn'] {
  if (auction.phase !== 'running') return null;
  const bidders = auction.bids.length;
  const present = roundAndTurn(bidders, auction.currentStage).round;
  for (let round = present; round < ROUNDS; round += 1) {
    const order = auction.orders[round] ?? worstFirst(auction.plan, auction.bids);
    const stage = round * (bidders + 1) + order.indexOf(bid) + 1;
    const [starts, ends] = [auction.starts[stage], auction.starts[stage + 1]];
    if (stage < auction.currentStage || starts === undefined || ends === undefined) continue;
    return { stage, starts: formatLocalDate(starts), ends: formatLocalDate(ends) };
  }
  return null;
}
