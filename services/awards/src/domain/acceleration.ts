import { addMicros, DAY, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { addWorkingDays } from '@procurement/domain/calendar';
import type { AwardSettings } from './awarding.ts';

type ProcedureDetails = Pick<TenderFacts, 'procurementMethodDetails'>;

// Same pattern as in services/tenders/src/domain/acceleration.ts: at least one character before the word; the last match
// counts (tenders.md 7.3). Both services must accept the same texts.
const ACCELERATOR = /.+accelerator=(\d{1,9})/s;

/** Divisor of the periods that the service computes; undefined outside the sandbox or when the tender names none. */
function accelerator({ procurementMethodDetails }: ProcedureDetails, { sandbox }: AwardSettings): number | undefined {
  const divisorText = ACCELERATOR.exec(procurementMethodDetails ?? '')?.[1];
  return sandbox && divisorText !== undefined ? Math.max(Number(divisorText), 1) : undefined;
}

const STAND_STILL_DAYS = 2;
const REACTION_DAYS = 3;

/**
 * End of the complaintPeriod of an award that is decided on `now` (bids-awards-auction.md 3.5): two working days later. With an
 * accelerator: two days of 24 hours, divided.
 */
export function standStillEnd(now: Instant, tender: ProcedureDetails, settings: AwardSettings): Instant {
  const divisor = accelerator(tender, settings);
  if (divisor !== undefined) return addMicros(now, (STAND_STILL_DAYS * DAY) / divisor);
  return addWorkingDays(now, STAND_STILL_DAYS, settings.calendar);
}

/** Microseconds until an unanswered claim is escalated, or an answer counts as accepted (bids-awards-auction.md 3.5). */
export function reactionMicros(tender: ProcedureDetails, settings: AwardSettings): number {
  return (REACTION_DAYS * DAY) / (accelerator(tender, settings) ?? 1);
}
