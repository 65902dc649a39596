import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { TenderStatus } from '@procurement/contracts/resources/tender';

/** What the owner of the tender may set of a complaint that is not closed, under open guards (rulings R3). */
export const UNGUARDED_MEMBERS: readonly (keyof StoredComplaint)[] = [
  'resolution',
  'resolutionType',
  'tendererAction',
  'status',
];

/** Whether complaints about the conditions of a tender may be changed in this status (tenders.md 13.3). */
export function changesComplaints(status: string): boolean {
  return status.startsWith('active.');
}

/** Whether claims about the conditions of a tender may be filed in this status (tenders.md 13.1). */
export function acceptsComplaints(status: TenderStatus): boolean {
  return status === 'active.enquiries' || status === 'active.tendering';
}
