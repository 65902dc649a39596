import type { Actor } from '@procurement/contracts/api/actor';
import { TENDER_STATUSES, type TenderStatus } from '@procurement/contracts/resources/tender';

const FINAL_STATUSES: ReadonlySet<string> = new Set(['complete', 'cancelled', 'unsuccessful']);

/** Whether a tender never leaves this status. */
export function isFinal(status: string): boolean {
  return FINAL_STATUSES.has(status);
}

const RUNNING_STATUSES: ReadonlySet<string> = new Set([
  'active.enquiries',
  'active.tendering',
  'active.auction',
  'active.qualification',
  'active.awarded',
]);

/** Whether a tender is published and not over. False for a status of a later release (docs/rules-for-upgrades.md). */
export function isRunning(status: string): boolean {
  return RUNNING_STATUSES.has(status);
}

/** Whether a tender may still change: a draft, or running. False for a status of a later release. */
export function isUnfinished(status: string): boolean {
  return status === 'draft' || isRunning(status);
}

/** The statuses of a tender for which a rule holds, in the order of the procedure. */
export function statusesThat(holds: (status: TenderStatus) => boolean): readonly TenderStatus[] {
  return TENDER_STATUSES.filter((status) => holds(status));
}

/**
 * Whether the guards of status and period are off for this caller (rulings R3): `LEGACY_GUARDS=open`, a segment older than 2.5,
 * and a running tender.
 */
export function legacyGuardsAreOpen(
  { segment }: Pick<Actor, 'segment'>,
  { legacyGuardsOpen }: { readonly legacyGuardsOpen: boolean },
  status: string,
): boolean {
  return legacyGuardsOpen && segment !== '2.5' && isRunning(status);
}
