import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { ComplaintStatus, StoredComplaint } from '@procurement/contracts/resources/complaint';
import { deepEqual } from '@procurement/domain/equality';
import { isFinal } from '@procurement/domain/tender-status';
import { complaintDueAt, isLeftoverClaim } from './awarding.timers.ts';
import type { Awarding, AwardingEvent, DecisionContext } from './awarding.ts';
import { awardsWithoutContract, withContractFor } from './contract.create.ts';

/**
 * Applies what is due: transitions of complaints by time (bids-awards-auction.md 3.7), and contracts that active awards still
 * lack (bids-awards-auction.md 4.2). No event when nothing is due.
 */
export function tick(awarding: Awarding, context: DecisionContext): readonly AwardingEvent[] {
  const awards = awarding.awards.map((award) => advanceComplaintsOf(award, awarding, context));
  let { contracts } = awarding;
  const missing = isFinal(awarding.tender.status) ? [] : awardsWithoutContract(awarding);
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
    const at = complaintDueAt(complaint, tender, now, settings);
    return at === undefined || at > now ? complaint : advanceComplaint(complaint, now);
  });
  return { ...award, complaints };
}

/**
 * A complaint that is due. A claim is escalated; an answered one gets the status of its resolutionType. In claims-only mode a
 * pending one gets the status of its answer too, or `ignored` if it was not answered and escalated.
 */
function advanceComplaint(complaint: StoredComplaint, now: Instant): StoredComplaint {
  const date = formatServerDate(now);
  if (complaint.status === 'claim') {
    return { ...complaint, status: 'pending', type: 'complaint', date, dateEscalated: date };
  }
  const wasAnswered =
    complaint.status === 'answered' || (complaint.dateEscalated !== undefined && complaint.dateAnswered !== undefined);
  const status: ComplaintStatus = wasAnswered ? (complaint.resolutionType ?? 'ignored') : 'ignored';
  return { ...complaint, status, date };
}
