import { DAY } from '@procurement/contracts/reading/instant';
import type { StoredTender } from '@procurement/contracts/resources/tender';
import type { TenderSettings } from './tender.ts';

type ProcedureDetails = Pick<StoredTender, 'procurementMethodDetails' | 'submissionMethodDetails'>;
type SandboxSetting = Pick<TenderSettings, 'sandbox'>;

// At least one character stands before the word, and the last mention counts (tenders.md 7.3).
const ACCELERATOR = /.+accelerator=(\d{1,9})/s;

/** By how much the periods that the service computes are divided; 1 outside the sandbox. */
export function acceleration({ procurementMethodDetails }: ProcedureDetails, { sandbox }: SandboxSetting): number {
  const divisorText = ACCELERATOR.exec(procurementMethodDetails ?? '')?.[1];
  return sandbox && divisorText !== undefined ? Math.max(Number(divisorText), 1) : 1;
}

/** Microseconds after which an unanswered claim is escalated, and an answer taken as accepted (tenders.md 13.3). */
export function reactionMicros(tender: ProcedureDetails, settings: SandboxSetting): number {
  return (3 * DAY) / acceleration(tender, settings);
}

/** The auction is wanted at once rather than on a working day (tenders.md 7.4). */
export function isQuick({ submissionMethodDetails }: ProcedureDetails, { sandbox }: SandboxSetting): boolean {
  return sandbox && (submissionMethodDetails ?? '').includes('quick');
}
