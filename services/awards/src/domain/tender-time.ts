import { addMicros, type Instant } from '@procurement/contracts/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';

/**
 * The time in which a tender lives: everybody's, moved by what the sandbox has moved this tender's clock (rulings R18).
 * Whatever is judged or dated in a tender is judged and dated by it.
 */
export function tenderTime(now: Instant, { clockShift }: Pick<TenderFacts, 'clockShift'>): Instant {
  return addMicros(now, clockShift ?? 0);
}

/** The moment of everybody's time at which a tender will have come to this moment of its own. */
export function realTime(at: Instant, { clockShift }: Pick<TenderFacts, 'clockShift'>): Instant {
  return addMicros(at, -(clockShift ?? 0));
}
