import type { z } from 'zod';
import { parseInstant } from '../reading/instant.ts';
import { evenAfterErrors, model } from '../reading/composites.ts';
import { validationError } from '../reading/error-messages.ts';
import { dateTime } from '../reading/scalars.ts';

interface Bounds {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** Equal dates are valid (tenders.md 5.3). */
function startsBeforeEnd({ startDate, endDate }: Bounds): boolean {
  // A member that could not be converted has an error of its own.
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return true;
  try {
    return parseInstant(startDate) <= parseInstant(endDate);
  } catch {
    return true;
  }
}

const orderError = {
  path: ['startDate'],
  error: validationError('period should begin before its end'),
  ...evenAfterErrors,
};

const optionalDate = dateTime().optional();

/** A period. Either end may be open. */
export const Period = model('Period', { startDate: optionalDate, endDate: optionalDate })
  .refine(startsBeforeEnd, orderError)
  .meta({ id: 'Period' });
export type Period = z.infer<typeof Period>;

/** Enquiry and tender periods: the client sets the end. */
export const PeriodEndRequired = model('PeriodEndRequired', { startDate: optionalDate, endDate: dateTime() })
  .refine(startsBeforeEnd, orderError)
  .meta({ id: 'PeriodEndRequired' });
export type PeriodEndRequired = z.infer<typeof PeriodEndRequired>;

/** Planned start, actual end, and earliest possible start of an auction (tenders.md 9.2). */
export const AuctionPeriod = model('Period', {
  startDate: optionalDate,
  endDate: optionalDate,
  shouldStartAfter: optionalDate,
})
  .refine(startsBeforeEnd, orderError)
  .meta({ id: 'AuctionPeriod' });
export type AuctionPeriod = z.infer<typeof AuctionPeriod>;
