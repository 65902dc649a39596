import { formatServerDate } from '@procurement/contracts/reading/instant';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import { advanceComplaint } from '@procurement/domain/complaint-timeouts';
import { deepEqual } from '@procurement/domain/equality';
import { isRunning } from '@procurement/domain/tender-status';
import { awardComplaintDueAt, isLeftoverClaim } from './awarding.timers.ts';
import type { Awarding, AwardingEvent, DecisionContext } from './awarding.ts';
import { awardsWithoutContract, withContractFor } from './contract.create.ts';

/**
 * Applies what is due: transitions of complaints by time (bids-awards-auction.md 3.7), and contracts that active awards still
 * lack (bids-awards-auction.md 4.2). No event when nothing is due.
 */
export function tick(awarding: Awarding, context: DecisionContext): readonly AwardingEvent[] {
  const awards = awarding.awards.map((award) => advanceComplaintsOf(award, awarding, context));
  let { contracts } = awarding;
  const missing = isRunning(awarding.tender.status) ? awardsWithoutContract(awarding) : [];
  for (const award of missing) contracts = withContractFor({ ...awarding, contracts }, award, context);
  if (contracts === awarding.contracts && deepEqual(awards, awarding.awards)) return [];
  return [{ type: 'AwardingChanged', parts: { awards, contracts } }];
}

function advanceComplaintsOf(
  award: StoredAward,
  { tender }: Awarding,
  { now, settings }: DecisionContext,
): StoredAward {
  if (award.complaints === undefined) return award;
  const complaints = award.complaints.map((complaint): StoredComplaint => {
    if (isLeftoverClaim(complaint, tender, settings))
      return { ...complaint, status: 'ignored', date: formatServerDate(now) };
    const at = awardComplaintDueAt(complaint, tender, now, settings);
    return at === undefined || at > now ? complaint : advanceComplaint(complaint, now);
  });
  return { ...award, complaints };
}
