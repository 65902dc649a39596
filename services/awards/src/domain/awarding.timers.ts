import { addMicros, instantOf, type Instant } from '@procurement/contracts/reading/instant';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { reactionMicros } from './acceleration.ts';
import { isFinal } from '@procurement/domain/tender-status';
import type { Awarding, AwardSettings } from './awarding.ts';
import { awardsWithoutContract } from './contract.create.ts';

/** An instant of the tender's time from which on the clock has something to do with its awards, and what. */
export interface Timer {
  readonly at: Instant;
  readonly why: 'complaint moves' | 'claim is left over' | 'contract is missing';
}

/**
 * All of them (tenders.md 9.1). What is due whenever it is seen is due now. No deadline is written a second time anywhere.
 */
export function timers(awarding: Awarding, now: Instant, settings: AwardSettings): readonly Timer[] {
  const { tender } = awarding;
  const complaints = awarding.awards.flatMap((award) => award.complaints ?? []);
  const ofComplaints = complaints.flatMap((complaint): Timer[] => {
    if (isLeftoverClaim(complaint, tender, settings)) return [{ at: now, why: 'claim is left over' }];
    const at = complaintDueAt(complaint, tender, now, settings);
    return at === undefined ? [] : [{ at, why: 'complaint moves' }];
  });
  const missing = isFinal(tender.status) ? [] : awardsWithoutContract(awarding);
  return [
    ...ofComplaints,
    ...missing.map((award): Timer => ({ at: instantOf(award.date), why: 'contract is missing' })),
  ];
}

/** When a complaint moves by itself; undefined when it waits for somebody, or its tender is over (bids-awards-auction.md 3.7). */
export function complaintDueAt(
  complaint: StoredComplaint,
  tender: TenderFacts,
  now: Instant,
  settings: AwardSettings,
): Instant | undefined {
  if (!tender.status.startsWith('active.')) return undefined;
  const isFull = settings.complaintsMode === 'full';
  const since = (date: string | undefined): Instant | undefined =>
    date === undefined ? undefined : addMicros(instantOf(date), reactionMicros(tender, settings));
  if (complaint.status === 'answered') return since(complaint.dateAnswered);
  if (complaint.status === 'claim' && isFull) return since(complaint.dateSubmitted);
  return complaint.status === 'pending' && !isFull ? now : undefined;
}

const FINAL_LOT_STATUSES: ReadonlySet<string | undefined> = new Set(['complete', 'unsuccessful', 'cancelled']);

/** A claim that nobody will answer, since the tender or its lot is over, and that cannot be escalated (3.7, claims-only). */
export function isLeftoverClaim(
  { status, relatedLot }: StoredComplaint,
  tender: TenderFacts,
  { complaintsMode }: AwardSettings,
): boolean {
  if (complaintsMode === 'full' || status !== 'claim') return false;
  if (isFinal(tender.status)) return true;
  return relatedLot !== undefined && FINAL_LOT_STATUSES.has(tender.lots?.find((lot) => lot.id === relatedLot)?.status);
}

/** The earliest at which the clock has to act, in the tender's time. */
export function dueAt(awarding: Awarding, now: Instant, settings: AwardSettings): Instant | undefined {
  const all = timers(awarding, now, settings);
  // The smallest of instants is one of them.
  return all.length === 0 ? undefined : (Math.min(...all.map((timer) => timer.at)) as Instant);
}
