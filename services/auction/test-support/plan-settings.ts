import { NO_HOLIDAYS } from '@procurement/domain/calendar';
import type { PlanSettings } from '../src/domain/auction-plan.ts';

/** The defaults of tenders.md 9.3, without holidays. */
export function planSettings(partial: Partial<PlanSettings> = {}): PlanSettings {
  return {
    dayStartMinute: 11 * 60,
    dayEndMinute: 16 * 60,
    streams: 10,
    randomSecondsMax: 1_799,
    calendar: NO_HOLIDAYS,
    ...partial,
  };
}
