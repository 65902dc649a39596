import { instantOf } from '@procurement/contracts/reading/instant';
import { problem, type Problem, type ProblemCode } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { BiddingPhase, BidMeta } from './bid.ts';

export type BidOperation = 'add' | 'update' | 'delete';

/**
 * In which statuses of the tender bids may be written: under strict guards, inside the period then, and under the open
 * guards of older segments, whatever the period (bids-awards-auction.md 1.2, rulings R3). An unknown status forbids both.
 */
const WRITABLE_IN_STATUS: ReadonlyMap<string, { readonly strict: boolean; readonly open: boolean }> = new Map([
  ['draft', { strict: false, open: false }],
  ['active.enquiries', { strict: false, open: true }],
  ['active.tendering', { strict: true, open: true }],
  ['active.auction', { strict: false, open: true }],
  ['active.qualification', { strict: false, open: true }],
  ['active.awarded', { strict: false, open: true }],
  ['complete', { strict: false, open: false }],
  ['unsuccessful', { strict: false, open: false }],
  ['cancelled', { strict: false, open: false }],
]);

const REFUSAL_CODES = {
  add: { status: 'bid.add-status', period: 'bid.add-period' },
  update: { status: 'bid.update-status', period: 'bid.update-period' },
  delete: { status: 'bid.delete-status', period: 'bid.delete-period' },
} as const satisfies Record<BidOperation, { readonly status: ProblemCode; readonly period: ProblemCode }>;

/**
 * Why bids of this tender cannot be written now: its status, or its period, because the status may lag the clock by
 * seconds. Closed is closed: once this service has sealed the bids, the period is over whatever clock and status say.
 */
export function biddingRefusal(
  operation: BidOperation,
  { tender, phase }: { readonly tender: TenderFacts; readonly phase: BiddingPhase },
  { now, actor, settings }: BidMeta,
): Problem | undefined {
  const { status } = tender;
  const writable = WRITABLE_IN_STATUS.get(status);
  const isUnguarded = settings.legacyGuardsOpen && actor.segment !== '2.5' && phase !== 'erased';
  if (isUnguarded && writable?.open === true) return undefined;
  const refusals = REFUSAL_CODES[operation];
  if (writable?.strict !== true) return problem(refusals.status, { status });
  const { startDate, endDate } = tender.tenderPeriod ?? {};
  const isEarly = startDate !== undefined && now < instantOf(startDate);
  const isLate = endDate !== undefined && now > instantOf(endDate);
  if (!isEarly && !isLate && phase === 'open') return undefined;
  return problem(refusals.period, { start: startDate ?? '', end: endDate ?? '' });
}

/** Our code of a body that is sound in itself and does not fit the tender's terms. Clients see the 422 of any bad body. */
export const TERMS_REFUSED = 'bid.terms';

/** Refusals that look at what the tender is, and must therefore not come of an outdated copy of it. */
const CODES_DEPENDING_ON_TENDER: ReadonlySet<string> = new Set<ProblemCode | typeof TERMS_REFUSED>([
  ...Object.values(REFUSAL_CODES).flatMap(({ status, period }) => [status, period]),
  'bid.list-sealed',
  'bid.sealed',
  'request.test-only',
  TERMS_REFUSED,
]);

/** Whether a refusal may turn out otherwise with newer facts of the tender. */
export function dependsOnTender({ code }: Problem): boolean {
  return CODES_DEPENDING_ON_TENDER.has(code);
}
