import { addMicros, type Instant } from '@procurement/contracts/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';

type ShiftedClock = Pick<TenderFacts, 'clockShift'>;

/** The time that a tender lives in: everybody's, moved by what the sandbox has moved this tender's clock (rulings R18). */
export function tenderTime(now: Instant, { clockShift = 0 }: ShiftedClock): Instant {
  return addMicros(now, clockShift);
}

/** When everybody's clock will show what that of the tender then shows as `at`. */
export function realTime(at: Instant, { clockShift = 0 }: ShiftedClock): Instant {
  return addMicros(at, -clockShift);
}
