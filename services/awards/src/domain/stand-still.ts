import { addMicros, DAY, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { acceleratorOf } from '@procurement/domain/acceleration';
import { addWorkingDays } from '@procurement/domain/calendar';
import type { AwardSettings } from './awarding.ts';

const STAND_STILL_DAYS = 2;

/**
 * End of the complaintPeriod of an award that is decided on `now` (bids-awards-auction.md 3.5): two working days later. With an
 * accelerator: two days of 24 hours, divided.
 */
export function standStillEnd(
  now: Instant,
  tender: Pick<TenderFacts, 'procurementMethodDetails'>,
  { sandbox, calendar }: AwardSettings,
): Instant {
  const divisor = acceleratorOf(tender, sandbox);
  if (divisor !== undefined) return addMicros(now, (STAND_STILL_DAYS * DAY) / divisor);
  return addWorkingDays(now, STAND_STILL_DAYS, calendar);
}
