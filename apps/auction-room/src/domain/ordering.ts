import type { Instant } from '@procurement/contracts/reading/instant';
import { compareFractions, normalizedAmount } from '@procurement/domain/ranking';
import type { AuctionPlan } from './auction.ts';
import { hasFeatures, parametersOf } from './features.ts';

/** What the order of a round, of the opening bids and of the results looks at. */
interface Standing {
  readonly id: string;
  readonly amount: number;
  readonly time: Instant;
}

/**
 * Ids of the bids, worst first: normalized amount descending, then time descending, then place in the tender descending. The
 * last one is the bid that is awarded first (auction-room.md 3.4, rulings R22).
 */
export function worstFirst(plan: AuctionPlan, bids: readonly Standing[]): readonly string[] {
  const byAmount = hasFeatures(plan) ? normalizedComparison(plan, bids) : plainComparison;
  return bids
    .map((bid, position) => ({ bid, position }))
    .toSorted((a, b) => byAmount(a.bid, b.bid) || b.bid.time - a.bid.time || b.position - a.position)
    .map(({ bid }) => bid.id);
}

function plainComparison(a: Standing, b: Standing): number {
  return b.amount - a.amount;
}

function normalizedComparison(plan: AuctionPlan, bids: readonly Standing[]): (a: Standing, b: Standing) => number {
  const { features } = plan.tender;
  const normalized = new Map(
    bids.map((bid) => [bid, normalizedAmount(bid.amount, features, parametersOf(plan, bid.id))]),
  );
  return (a, b) => {
    const [left, right] = [normalized.get(a), normalized.get(b)];
    return left === undefined || right === undefined ? 0 : compareFractions(right, left);
  };
}
