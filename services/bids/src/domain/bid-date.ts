import { addMicros, parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';

/**
 * The date of a new or changed bid: `now`, but never before a date that the tender gave earlier. Equal bids rank by date
 * (bids-awards-auction.md 3.3), and clocks of hosts differ, so the order of writes must not depend on them
 * (bids-awards-auction.md 2.12).
 *
 * One microsecond after the last date, except at the end of the tendering period: no bid is dated after it, and equal dates
 * rank by the order of registration. All instants are in the tender's time.
 */
export function bidDate(
  now: Instant,
  last: Instant | undefined,
  { tenderPeriod }: Pick<TenderFacts, 'tenderPeriod'>,
): Instant {
  if (last === undefined || now > last) return now;
  const { endDate } = tenderPeriod ?? {};
  return endDate !== undefined && last === parseInstant(endDate) ? last : addMicros(last, 1);
}
