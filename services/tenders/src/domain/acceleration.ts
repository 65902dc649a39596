import { DAY } from '@procurement/contracts/instant';
import type { StoredTender } from '@procurement/contracts/resources/tender';
import type { TenderSettings } from './tender.ts';

type Wishes = Pick<StoredTender, 'procurementMethodDetails' | 'submissionMethodDetails'>;
type Sandbox = Pick<TenderSettings, 'sandbox'>;

// At least one character stands before the word, and the last mention counts (tenders.md 7.3).
const ACCELERATOR = /.+accelerator=(\d{1,9})/s;

/** By how much the periods that the service computes are divided; 1 outside the sandbox. */
export function acceleration({ procurementMethodDetails }: Wishes, { sandbox }: Sandbox): number {
  const wished = ACCELERATOR.exec(procurementMethodDetails ?? '')?.[1];
  return sandbox && wished !== undefined ? Math.max(Number(wished), 1) : 1;
}

/** Microseconds after which an unanswered claim is escalated, and an answer taken as accepted (tenders.md 13.3). */
export function reactionMicros(tender: Wishes, settings: Sandbox): number {
  return (3 * DAY) / acceleration(tender, settings);
}

/** The auction is wanted at once rather than on a working day (tenders.md 7.4). */
export function isQuick({ submissionMethodDetails }: Wishes, { sandbox }: Sandbox): boolean {
  return sandbox && (submissionMethodDetails ?? '').includes('quick');
}
