import { instantOf, type Instant } from '@procurement/contracts/reading/instant';

/** Whether an instant is within a period. Both ends belong to it; a missing end does not limit it. */
export function isWithin(
  { startDate, endDate }: { readonly startDate?: string | undefined; readonly endDate?: string | undefined },
  now: Instant,
): boolean {
  if (startDate !== undefined && instantOf(startDate) > now) return false;
  return endDate === undefined || now <= instantOf(endDate);
}
