import { coeficientOf, normalizedAmount, printFraction, type RankedParameter } from '@procurement/domain/ranking';
import type { AuctionPlan } from './auction.ts';

/** `coeficient` and `amount_features` of a price as they are published; nothing in an auction without features. */
export interface PrintedFeatures {
  readonly amountFeatures?: string;
  readonly coeficient?: string;
}

export function hasFeatures({ tender }: Pick<AuctionPlan, 'tender'>): boolean {
  return tender.features.length > 0;
}

export function parametersOf(plan: AuctionPlan, bid: string): readonly RankedParameter[] {
  return plan.bids.find(({ id }) => id === bid)?.parameters ?? [];
}

/** Exact fractions (bids-awards-auction.md 2.12). */
export function printedFeatures(plan: AuctionPlan, bid: string, amount: number): PrintedFeatures {
  if (!hasFeatures(plan)) return {};
  const { features } = plan.tender;
  const parameters = parametersOf(plan, bid);
  return {
    amountFeatures: printFraction(normalizedAmount(amount, features, parameters)),
    coeficient: printFraction(coeficientOf(features, parameters)),
  };
}
