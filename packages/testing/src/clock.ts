import { addMicros, parseDateTime, type Instant } from '@procurement/contracts/reading/instant';
import type { Clock } from '@procurement/kit/runtime/clock';

/** A clock that stands still until a test moves it. */
export interface FixedClock extends Clock {
  /** Moves it by milliseconds; fractions count down to the microsecond. */
  advance(ms: number): void;
  /** Puts it to an ISO date. */
  set(iso: string): void;
}

/** A clock that stands at an ISO date. */
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

function parseInstant(iso: string): Instant {
  const parsed = parseDateTime(iso);
  if (parsed === undefined) throw new Error(`not an ISO date: ${iso}`);
  return parsed.instant;
}
