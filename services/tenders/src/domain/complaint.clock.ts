import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { complaintReactionMicros } from '@procurement/domain/acceleration';
import { advanceComplaint, complaintDueAt } from '@procurement/domain/complaint-timeouts';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { TenderParts, TenderSettings } from './tender.ts';

/**
 * Complaints as the passing of time leaves them (tenders.md 13.3, 13.4): a claim that nobody answered is escalated, an answer
 * that nobody disputed is the end, and where there are no reviewers a pending one comes to what it was answered with.
 */
export function advanceComplaints(
  tender: TenderParts,
  now: Instant,
  settings: TenderSettings,
): readonly StoredComplaint[] | undefined {
  const reactionMicros = complaintReactionMicros(tender.document, settings.sandbox);
  return tender.document.complaints?.map((complaint) => {
    const at = complaintDueAt(complaint, reactionMicros, now, settings.complaintsMode);
    if (at === undefined || at > now) return complaint;
    return advanceComplaint(complaint, now, complaint.dateEscalated !== undefined);
  });
}

/** Claims that are left when a tender or one of its lots ends: with nobody to answer them they are ignored (tenders.md 13.4). */
export function ignoreLeftoverClaims(
  complaints: readonly StoredComplaint[] | undefined,
  isOver: (complaint: StoredComplaint) => boolean,
  now: Instant,
  settings: TenderSettings,
): readonly StoredComplaint[] | undefined {
  if (settings.complaintsMode === 'full') return complaints;
  return complaints?.map((complaint) =>
    complaint.status === 'claim' && isOver(complaint)
      ? { ...complaint, status: 'ignored', date: formatServerDate(now) }
      : complaint,
  );
}
