import { parseDateTime, type Instant } from '@procurement/contracts/reading/instant';
import { evenAfterErrors } from '@procurement/contracts/reading/composites';
import { validationError } from '@procurement/contracts/reading/error-messages';
import type { StoredAward } from '@procurement/contracts/resources/award';
import { ContractInput, type StoredContract } from '@procurement/contracts/resources/contract';

/**
 * The model of a changed contract, checks 1 and 2 of bids-awards-auction.md 4.3 included: it is signed after the stand-still of its
 * award, and not in the future. A date that was stored has been checked, and does not grow wrong.
 */
export function contractInputWithDateChecks(stored: StoredContract, award: StoredAward | undefined, now: Instant) {
  return ContractInput.superRefine(({ dateSigned }, context) => {
    // A member that failed to convert is not text: its own fault is told instead.
    if (typeof dateSigned !== 'string') return;
    if (
      stored.dateSigned !== undefined &&
      parseDateTime(stored.dateSigned)?.instant === parseDateTime(dateSigned)?.instant
    )
      return;
    const fault = dateError(dateSigned, award?.complaintPeriod?.endDate, now);
    if (fault === undefined) return;
    context.addIssue({ code: 'custom', path: ['dateSigned'], message: validationError(fault) });
  }, evenAfterErrors);
}

function dateError(dateSigned: string, endDate: string | undefined, now: Instant): string | undefined {
  const signedAt = parseDateTime(dateSigned)?.instant;
  const end = endDate === undefined ? undefined : parseDateTime(endDate)?.instant;
  if (signedAt === undefined) return undefined;
  if (end !== undefined && signedAt <= end) {
    return `Contract signature date should be after award complaint period end date (${endDate})`;
  }
  return signedAt > now ? "Contract signature date can't be in the future" : undefined;
}
