import { instantOf, type Instant } from '@procurement/contracts/reading/instant';
import type { StoredAward } from '@procurement/contracts/resources/award';

/** Whether `now` is in the complaintPeriod, both ends included; a missing end is open (bids-awards-auction.md 3.7). */
export function inComplaintPeriod({ complaintPeriod = {} }: StoredAward, now: Instant): boolean {
  const { startDate, endDate } = complaintPeriod;
  if (startDate !== undefined && instantOf(startDate) > now) return false;
  return endDate === undefined || now <= instantOf(endDate);
}
