import { formatLocalDate, instantOf, type Instant } from '@procurement/contracts/instant';
import type { StoredTender } from '@procurement/contracts/resources/tender';

/** An instant at which the clock has something to do with a tender, and what. */
export interface Timer {
  readonly at: Instant;
  readonly why: 'tendering begins' | 'tendering ends';
}

/** All of them, by status (tenders.md 9.1). No deadline is written a second time anywhere. */
export function timers({ status, enquiryPeriod, tenderPeriod }: StoredTender): readonly Timer[] {
  switch (status) {
    case 'active.enquiries':
      return [{ at: instantOf(tenderPeriod.startDate ?? enquiryPeriod.endDate), why: 'tendering begins' }];
    case 'active.tendering':
      return [{ at: instantOf(tenderPeriod.endDate), why: 'tendering ends' }];
    default:
      return [];
  }
}

/** The earliest timer as clients see it; absent when there is none. */
export function nextCheck(tender: StoredTender): string | undefined {
  const instants = timers(tender).map((timer) => timer.at);
  if (instants.length === 0) return undefined;
  // The smallest of instants is one of them.
  return formatLocalDate(Math.min(...instants) as Instant);
}
