import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { TenderStatus } from '@procurement/contracts/resources/tender';

/** Older segments without guards: the owner of the tender resolves whatever is not closed (rulings R3). */
export const UNGUARDED_MEMBERS: readonly (keyof StoredComplaint)[] = [
  'resolution',
  'resolutionType',
  'tendererAction',
  'status',
];

/** The window for claims about the conditions (tenders.md 13.1). */
export function acceptsComplaints(status: TenderStatus): boolean {
  return status === 'active.enquiries' || status === 'active.tendering';
}
