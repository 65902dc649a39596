import { addMicros, type Instant } from '@procurement/contracts/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';

/**
 * The time in which a tender lives: everybody's, moved by what the sandbox has moved this tender's clock (rulings R18).
 * Whatever is judged or dated in a tender is judged and dated by it.
 */
export function tenderTime(now: Instant, { clockShift }: Pick<TenderFacts, 'clockShift'>): Instant {
  return addMicros(now, clockShift ?? 0);
}
