import type { Instant } from '@procurement/contracts/reading/instant';

/** Where a process reads the time. Injected, so that tests and the sandbox can move it. */
export interface Clock {
  /** Now, in whole microseconds since 1970 UTC. */
  now(): Instant;
}

// Date has milliseconds only, while published dates carry six digits and decide ties: the process's own clock fills them in.
// It counts from the start of the process, so it is put right when the system's clock has been corrected since.
const DRIFT_MAX_MS = 5;
let correctionMs = 0;

function microsNow(): number {
  const processClockMs = performance.timeOrigin + performance.now();
  const driftMs = Date.now() - (processClockMs + correctionMs);
  if (Math.abs(driftMs) > DRIFT_MAX_MS) correctionMs += driftMs;
  return Math.floor((processClockMs + correctionMs) * 1_000);
}

/** The machine's clock: the one place that asks it. */
export const systemClock: Clock = {
  // Instant is a branded number of microseconds, which is what microsNow gives.
  now: () => microsNow() as Instant,
};

/** Milliseconds of a monotonic clock, for durations only. */
export function monotonicMs(): number {
  return performance.now();
}

/** Unix seconds of the machine's clock, for expiry of internal credentials. */
export function unixSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
