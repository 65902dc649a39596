import { DAY } from '@procurement/contracts/reading/instant';

interface AcceleratedTender {
  readonly procurementMethodDetails?: string | undefined;
}

// At least one character must precede the word, and the last occurrence counts (tenders.md 7.3). Anchored: without `^` a text
// that does not match is tried from every position, 17 s for 100,000 characters against 0.2 ms.
const ACCELERATOR = /^.+accelerator=(\d{1,9})/s;

const COMPLAINT_REACTION_DAYS = 3;

/**
 * The number by which a sandbox tender divides the periods that the service computes (tenders.md 7.3), at least 1.
 * `undefined` outside the sandbox and for a tender without `accelerator=`: the stand-still of an award counts working days
 * then, and calendar days for an accelerated tender, even with a divisor of 1.
 */
export function acceleratorOf({ procurementMethodDetails }: AcceleratedTender, sandbox: boolean): number | undefined {
  const divisorText = ACCELERATOR.exec(procurementMethodDetails ?? '')?.[1];
  return sandbox && divisorText !== undefined ? Math.max(Number(divisorText), 1) : undefined;
}

/**
 * Microseconds after which an unanswered claim is escalated and an undisputed answer is final: three days, divided by the
 * accelerator (tenders.md 13.3, bids-awards-auction.md 3.7).
 */
export function complaintReactionMicros(tender: AcceleratedTender, sandbox: boolean): number {
  return (COMPLAINT_REACTION_DAYS * DAY) / (acceleratorOf(tender, sandbox) ?? 1);
}

/** Whether the sandbox plans the auction at once, instead of on the next working day (tenders.md 7.4). */
export function isQuickAuction(
  { submissionMethodDetails }: { readonly submissionMethodDetails?: string | undefined },
  sandbox: boolean,
): boolean {
  return sandbox && (submissionMethodDetails ?? '').includes('quick');
}
