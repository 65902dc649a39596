import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import type { ComplaintStatus, StoredComplaint } from '@procurement/contracts/resources/complaint';
import { complaintDueAt } from './tender.timers.ts';
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
  return tender.document.complaints?.map((complaint) => {
    const at = complaintDueAt(complaint, tender, now, settings);
    return at === undefined || at > now ? complaint : advanceComplaint(complaint, now);
  });
}

function advanceComplaint(complaint: StoredComplaint, now: Instant): StoredComplaint {
  const date = formatServerDate(now);
  if (complaint.status === 'claim') {
    return { ...complaint, status: 'pending', type: 'complaint', date, dateEscalated: date };
  }
  const wasAnswered = complaint.status === 'answered' || complaint.dateEscalated !== undefined;
  const status: ComplaintStatus = wasAnswered ? (complaint.resolutionType ?? 'ignored') : 'ignored';
  return { ...complaint, status, date };
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
