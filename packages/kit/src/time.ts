import type { Instant } from '@procurement/contracts/instant';

/** Where a process reads the time. Injected, so that tests and the sandbox can move it. */
export interface Clock {
  /** Now, in whole microseconds since 1970 UTC. */
  now(): Instant;
}

// Date has milliseconds only, while published dates carry six digits and decide ties; the monotonic clock fills in the rest.
// Re-anchored every second, so that a corrected system clock is followed.
let anchorMs = 0;
let anchorTick = 0;

function microsNow(): number {
  const tick = performance.now();
  const wallMs = Date.now();
  if (Math.abs(anchorMs + (tick - anchorTick) - wallMs) > 2 || tick - anchorTick > 1_000) {
    anchorMs = wallMs;
    anchorTick = tick;
  }
  return Math.floor((anchorMs + (tick - anchorTick)) * 1_000);
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
