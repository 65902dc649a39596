import { addMicros, DAY, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { addWorkingDays } from '@procurement/domain/calendar';
import type { AwardSettings } from './awarding.ts';

type ProcedureDetails = Pick<TenderFacts, 'procurementMethodDetails'>;

// The rule of services/tenders/src/domain/acceleration.ts: at least one character stands before the word, and the last
// mention counts (tenders.md 7.3). Services share no code, and both must read the same.
const ACCELERATOR = /.+accelerator=(\d{1,9})/s;

/** By how much the periods that the service computes are divided; undefined outside the sandbox and without such a wish. */
function accelerator({ procurementMethodDetails }: ProcedureDetails, { sandbox }: AwardSettings): number | undefined {
  const divisorText = ACCELERATOR.exec(procurementMethodDetails ?? '')?.[1];
  return sandbox && divisorText !== undefined ? Math.max(Number(divisorText), 1) : undefined;
}

const STAND_STILL_DAYS = 2;
const REACTION_DAYS = 3;

/**
 * When an award that is decided upon now can no longer be complained of: after two working days, or, accelerated, two days
 * of 24 hours divided (bids-awards-auction.md 3.5).
 */
export function standStillEnd(now: Instant, tender: ProcedureDetails, settings: AwardSettings): Instant {
  const divisor = accelerator(tender, settings);
  if (divisor !== undefined) return addMicros(now, (STAND_STILL_DAYS * DAY) / divisor);
  return addWorkingDays(now, STAND_STILL_DAYS, settings.calendar);
}

/** Microseconds after which an unanswered claim is escalated, and an answer taken as accepted (3.5). */
export function reactionMicros(tender: ProcedureDetails, settings: AwardSettings): number {
  return (REACTION_DAYS * DAY) / (accelerator(tender, settings) ?? 1);
}
