import { parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { complaintReactionMicros } from '@procurement/domain/acceleration';
import { complaintDueAt } from '@procurement/domain/complaint-timeouts';
import { isFinal, isRunning } from '@procurement/domain/tender-status';
import type { Awarding, AwardSettings } from './awarding.ts';
import { awardsWithoutContract } from './contract.create.ts';

/** A deadline of the awards, in tender time, and its reason. */
export interface Timer {
  readonly at: Instant;
  readonly why: 'complaint moves' | 'claim is left over' | 'contract is missing';
}

/** All deadlines of the awards (tenders.md 9.1). Inputs that are due at any time get the deadline `now`. */
export function timers(awarding: Awarding, now: Instant, settings: AwardSettings): readonly Timer[] {
  const { tender } = awarding;
  const complaints = awarding.awards.flatMap((award) => award.complaints ?? []);
  const ofComplaints = complaints.flatMap((complaint): Timer[] => {
    if (isLeftoverClaim(complaint, tender, settings)) return [{ at: now, why: 'claim is left over' }];
    const at = awardComplaintDueAt(complaint, tender, now, settings);
    return at === undefined ? [] : [{ at, why: 'complaint moves' }];
  });
  const missing = isRunning(tender.status) ? awardsWithoutContract(awarding) : [];
  return [
    ...ofComplaints,
    ...missing.map((award): Timer => ({ at: parseInstant(award.date), why: 'contract is missing' })),
  ];
}

/**
 * When time changes the status of a complaint (bids-awards-auction.md 3.7); undefined when it never does, or the tender is not
 * active.
 */
export function awardComplaintDueAt(
  complaint: StoredComplaint,
  tender: TenderFacts,
  now: Instant,
  { sandbox, complaintsMode }: AwardSettings,
): Instant | undefined {
  if (!isRunning(tender.status)) return undefined;
  return complaintDueAt(complaint, complaintReactionMicros(tender, sandbox), now, complaintsMode);
}

const FINAL_LOT_STATUSES: ReadonlySet<string | undefined> = new Set(['complete', 'unsuccessful', 'cancelled']);

/**
 * Whether this is an unanswered claim, in claims-only mode, whose tender or lot has a final status. It becomes `ignored`
 * (bids-awards-auction.md 3.7).
 */
export function isLeftoverClaim(
  { status, relatedLot }: StoredComplaint,
  tender: TenderFacts,
  { complaintsMode }: AwardSettings,
): boolean {
  if (complaintsMode === 'full' || status !== 'claim') return false;
  if (isFinal(tender.status)) return true;
  return relatedLot !== undefined && FINAL_LOT_STATUSES.has(tender.lots?.find((lot) => lot.id === relatedLot)?.status);
}

/** The earliest deadline, in tender time. */
export function dueAt(awarding: Awarding, now: Instant, settings: AwardSettings): Instant | undefined {
  const all = timers(awarding, now, settings);
  // The minimum of instants is an instant.
  return all.length === 0 ? undefined : (Math.min(...all.map((timer) => timer.at)) as Instant);
}
