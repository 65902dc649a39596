import { monotonicMs } from './clock.ts';

const BEAT_MS = 5_000;
/** A timer may fire a little early. */
const NEAR_MS = 50;

/**
 * Milliseconds from now to a beat, of which a process has one every 5 s: between `ms` less 5 s and `ms` plus 50 ms. What looks by itself from
 * time to time looks at a beat, because a wake-up of a process costs more than what it then does (docs/decisions/0143-idle-system.md). A pause
 * of less than 5 s stays as it is.
 */
export function untilBeat(ms: number): number {
  if (ms < BEAT_MS) return ms;
  return ms + NEAR_MS - ((monotonicMs() + NEAR_MS) % BEAT_MS);
}
