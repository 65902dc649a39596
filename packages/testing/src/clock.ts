import { addMicros, parseInstant } from '@procurement/contracts/reading/instant';
import type { Clock } from '@procurement/kit/runtime/clock';

/** A clock that a test moves. */
export interface FixedClock extends Clock {
  /** Moves it by milliseconds; fractions are microseconds. */
  advance(ms: number): void;
  /** Sets it to an ISO date. */
  set(iso: string): void;
}

/** A clock that shows this ISO date until it is moved. */
export function fixedClock(startIso: string): FixedClock {
  let instant = parseInstant(startIso);
  return {
    now: () => instant,
    advance: (ms) => {
      instant = addMicros(instant, ms * 1_000);
    },
    set: (iso) => {
      instant = parseInstant(iso);
    },
  };
}
