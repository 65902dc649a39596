import { addMicros, type Instant } from '@procurement/contracts/reading/instant';

/** A tender whose clock the sandbox may have moved (rulings R18). */
export interface ShiftedClock {
  /** Microseconds by which the tender's time is ahead of real time; absent is 0. */
  readonly clockShift?: number | undefined;
}

/** Converts real time to the tender's time, in which its deadlines are judged and its dates are written. */
export function tenderTime(now: Instant, { clockShift = 0 }: ShiftedClock): Instant {
  return clockShift === 0 ? now : addMicros(now, clockShift);
}

/** Converts the tender's time to real time: the inverse of `tenderTime`. */
export function realTime(at: Instant, { clockShift = 0 }: ShiftedClock): Instant {
  return clockShift === 0 ? at : addMicros(at, -clockShift);
}
