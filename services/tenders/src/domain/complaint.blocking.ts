import type { ComplaintsMode } from '@procurement/domain/complaints';
import type { AwardRecord } from '@procurement/contracts/resources/award-facts';
import type { StoredTender } from '@procurement/contracts/resources/tender';

/** Statuses in which a claim or complaint holds up signing and the end of a tender (tenders.md 13.4). */
const BLOCKING: Readonly<Record<ComplaintsMode, ReadonlySet<string>>> = {
  full: new Set(['claim', 'answered', 'pending']),
  'claims-only': new Set(['answered', 'pending']),
};

interface Complaint {
  readonly status: string;
  readonly relatedLot?: string | undefined;
}

/** Whether a complaint about the tender as a whole blocks all of it (tenders.md 8.2). */
export function blocksTender({ complaints = [] }: StoredTender, mode: ComplaintsMode): boolean {
  return complaints.some(
    (complaint: Complaint) => complaint.relatedLot === undefined && BLOCKING[mode].has(complaint.status),
  );
}

/** Whether a complaint about a lot, or about one of its awards, blocks the lot; without lots: about any award. */
export function blocksLot(
  { complaints = [] }: StoredTender,
  awards: readonly AwardRecord[],
  lot: string | undefined,
  mode: ComplaintsMode,
): boolean {
  const ofLot = complaints.filter((complaint: Complaint) => lot !== undefined && complaint.relatedLot === lot);
  const ofAwards = awards.flatMap((award) => award.complaints ?? []);
  return [...ofLot, ...ofAwards].some((complaint) => BLOCKING[mode].has(complaint.status));
}
