import { instantOf, type Instant } from '@procurement/contracts/reading/instant';
import type { StoredAward } from '@procurement/contracts/resources/award';

/** Whether an award may be complained of now; an open end counts as inside (bids-awards-auction.md 3.7). */
export function inComplaintPeriod({ complaintPeriod = {} }: StoredAward, now: Instant): boolean {
  const { startDate, endDate } = complaintPeriod;
  if (startDate !== undefined && instantOf(startDate) > now) return false;
  return endDate === undefined || now <= instantOf(endDate);
}
