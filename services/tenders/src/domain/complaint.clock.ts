import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { complaintReactionMicros } from '@procurement/domain/acceleration';
import { advanceComplaint, complaintDueAt } from '@procurement/domain/complaint-timeouts';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { TenderParts, TenderSettings } from './tender.ts';

/**
 * The complaints after all that are due have changed (tenders.md 13.3, 13.4): an unanswered claim is escalated, an undisputed
 * answer is final, and in mode `claims-only` a pending complaint gets the resolution of its answer or is ignored.
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
    return advanceComplaint(complaint, now);
  });
}

/** Claims that are open when their tender or lot ends become `ignored` in mode `claims-only` (tenders.md 13.4). */
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
