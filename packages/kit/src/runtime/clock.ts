import type { Instant } from '@procurement/contracts/reading/instant';

/** Source of the current time. Injected, so that tests and the sandbox can move it. */
export interface Clock {
  /** Whole microseconds since 1970 UTC. */
  now(): Instant;
}

// Date has milliseconds only, while published dates have six fraction digits and break ties: `performance` adds the rest. It
// counts from the start of the process, so it is corrected when the system clock has been adjusted since.
const DRIFT_MAX_MS = 5;
let correctionMs = 0;

function microsNow(): number {
  const processClockMs = performance.timeOrigin + performance.now();
  const driftMs = Date.now() - (processClockMs + correctionMs);
  if (Math.abs(driftMs) > DRIFT_MAX_MS) correctionMs += driftMs;
  return Math.floor((processClockMs + correctionMs) * 1_000);
}

/** The machine's clock. Lint forbids Date.now() and new Date() everywhere else. */
export const systemClock: Clock = {
  // Safe cast: Instant is a branded number of microseconds.
  now: () => microsNow() as Instant,
};

/** Milliseconds of a monotonic clock, for durations only. */
export function monotonicMs(): number {
  return performance.now();
}

/** Unix seconds of the machine's clock, for the expiry of internal identities. */
export function unixSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
