import { CLOSED_STATUSES, type ComplaintsMode } from './complaints.ts';

/**
 * Statuses of complaints that do not block signing and the end of a tender (tenders.md 13.4, bids-awards-auction.md 3.7). Every
 * other status blocks, also one of a later release: signing cannot be undone (docs/rules-for-upgrades.md).
 */
const HARMLESS_STATUSES: Readonly<Record<ComplaintsMode, ReadonlySet<string>>> = {
  full: new Set(['draft', ...CLOSED_STATUSES]),
  'claims-only': new Set(['draft', 'claim', ...CLOSED_STATUSES]),
};

/** Whether a complaint in this status blocks signing and the end of its tender or lot. */
export function isBlockingStatus(status: string, mode: ComplaintsMode): boolean {
  return !HARMLESS_STATUSES[mode].has(status);
}

interface TenderComplaints {
  readonly complaints?: readonly { readonly status: string; readonly relatedLot?: string | undefined }[] | undefined;
}

interface AwardComplaints {
  readonly complaints?: readonly { readonly status: string }[] | undefined;
}

/** Whether a complaint about the tender as a whole blocks all of it (tenders.md 8.2). */
export function blocksTender({ complaints = [] }: TenderComplaints, mode: ComplaintsMode): boolean {
  return complaints.some(({ status, relatedLot }) => relatedLot === undefined && isBlockingStatus(status, mode));
}

/**
 * Whether a complaint about a lot, or about one of `awardsOfLot`, blocks the lot (tenders.md 8.2). The caller selects the
 * awards: those of the lot, or all of a tender without lots (`lot` is `undefined`). Complaints about the tender as a whole
 * do not count here; `blocksTender` answers for them.
 */
export function blocksLot(
  { complaints = [] }: TenderComplaints,
  awardsOfLot: readonly AwardComplaints[],
  lot: string | undefined,
  mode: ComplaintsMode,
): boolean {
  const aboutLot = complaints.filter(({ relatedLot }) => lot !== undefined && relatedLot === lot);
  const aboutAwards = awardsOfLot.flatMap((award) => award.complaints ?? []);
  return [...aboutLot, ...aboutAwards].some(({ status }) => isBlockingStatus(status, mode));
}
