import { parseInstant, MINUTE, type Instant } from '@procurement/contracts/reading/instant';

interface Period {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** Processes whose clocks differ by more refuse each other's identities (decision 0015). */
const CLOCK_DIFFERENCE_MAX = MINUTE;

/** Whether an instant is within a period. Both ends belong to it; a missing end does not limit it. */
export function isWithin({ startDate, endDate }: Period, now: Instant): boolean {
  if (startDate !== undefined && parseInstant(startDate) > now) return false;
  return endDate === undefined || now <= parseInstant(endDate);
}

/**
 * The same for a period that another process has begun by its clock, as a status shows. That clock may be ahead of this one, and
 * what follows at once must not be refused.
 */
export function isWithinBegun(period: Period, now: Instant): boolean {
  return isWithin(period, period.startDate === undefined ? now : notBefore(parseInstant(period.startDate), now));
}

/** The time, at least that which another process has written: `written` is past, even if this clock is behind. */
export function notBefore(written: Instant, now: Instant): Instant {
  return now < written && written <= now + CLOCK_DIFFERENCE_MAX ? written : now;
}
