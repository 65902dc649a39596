import { parseDateTime, type Instant } from '@procurement/contracts/reading/instant';
import { evenAfterErrors } from '@procurement/contracts/reading/composites';
import { validationError } from '@procurement/contracts/reading/error-messages';
import type { StoredAward } from '@procurement/contracts/resources/award';
import { contractsApi } from '@procurement/contracts/api/contracts.api';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { AwardMeta } from './awarding.ts';

/**
 * Schema of a changed contract with checks 1 and 2 of bids-awards-auction.md 4.3: dateSigned is after the stand-still of the
 * award and not in the future. An unchanged dateSigned is not checked again.
 */
export function contractInputWithDateChecks(
  stored: StoredContract,
  award: StoredAward | undefined,
  { now, actor }: AwardMeta,
) {
  const { body, bodyBySegment } = contractsApi.patchContract;
  const schema = actor.segment === '2.5' ? body : bodyBySegment['0'];
  return schema.superRefine(({ dateSigned }, context) => {
    // Not a string when dateSigned itself is invalid; that error is reported instead.
    if (typeof dateSigned !== 'string') return;
    if (
      stored.dateSigned !== undefined &&
      parseDateTime(stored.dateSigned)?.instant === parseDateTime(dateSigned)?.instant
    )
      return;
    const error = dateError(dateSigned, award?.complaintPeriod?.endDate, now);
    if (error === undefined) return;
    context.addIssue({ code: 'custom', path: ['dateSigned'], message: validationError(error) });
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
