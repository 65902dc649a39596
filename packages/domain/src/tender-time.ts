import { addMicros, type Instant } from '@procurement/contracts/reading/instant';

/** A tender whose clock the sandbox may have moved: by how many microseconds it is ahead of real time (rulings R18). */
export interface ShiftedClock {
  readonly clockShift?: number | undefined;
}

/** Converts real time to the tender's own. Deadlines and dates of a tender are judged and written in its own time. */
export function tenderTime(now: Instant, { clockShift = 0 }: ShiftedClock): Instant {
  return clockShift === 0 ? now : addMicros(now, clockShift);
}

/** Converts a tender's own time to real time: the inverse of `tenderTime`. */
export function realTime(at: Instant, { clockShift = 0 }: ShiftedClock): Instant {
  return clockShift === 0 ? at : addMicros(at, -clockShift);
}
