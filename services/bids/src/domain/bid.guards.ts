import { problem, type Problem, type ProblemCode, allowing } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { isWithinBegun } from '@procurement/domain/period';
import type { BiddingPhase, BidMeta } from './bid.ts';

export type BidOperation = 'add' | 'update' | 'delete';

/**
 * Statuses of the tender in which bids may be written. `strict`: inside the tendering period only. `open`: the open guards of
 * older segments, at any time (bids-awards-auction.md 1.2, rulings R3). An unknown status forbids both.
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

const STRICT_STATUSES = [...WRITABLE_IN_STATUS].flatMap(([status, { strict }]) => (strict ? [status] : []));

const REFUSAL_CODES = {
  add: { status: 'bid.add-status', period: 'bid.add-period' },
  update: { status: 'bid.update-status', period: 'bid.update-period' },
  delete: { status: 'bid.delete-status', period: 'bid.delete-period' },
} as const satisfies Record<BidOperation, { readonly status: ProblemCode; readonly period: ProblemCode }>;

/**
 * The refusal of a write that the tender's status or period does not allow. The period is checked as well because the status
 * may lag the clock by seconds. Once this service has sealed the bids, the period counts as over (decision 0031).
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
  if (writable?.strict !== true)
    return allowing(problem(refusals.status, { status }), { allowedStatuses: STRICT_STATUSES });
  const { tenderPeriod = {} } = tender;
  if (isWithinBegun(tenderPeriod, now) && phase === 'open') return undefined;
  const { startDate = '', endDate = '' } = tenderPeriod;
  const refusal = problem(refusals.period, { start: startDate, end: endDate });
  return allowing(refusal, { allowedFrom: tenderPeriod.startDate, allowedUntil: tenderPeriod.endDate });
}

/** Internal code of a valid body that does not fit the tender's terms. Clients see the same 422 as for any invalid body. */
export const TERMS_REFUSED = 'bid.terms';

/** Refusals that depend on the tender, so a stale copy of it must not cause them (decision 0029). */
const CODES_DEPENDING_ON_TENDER: ReadonlySet<string> = new Set<ProblemCode | typeof TERMS_REFUSED>([
  ...Object.values(REFUSAL_CODES).flatMap(({ status, period }) => [status, period]),
  'bid.list-sealed',
  'bid.sealed',
  'request.test-only',
  TERMS_REFUSED,
]);

/** Whether newer facts of the tender may change a refusal. */
export function dependsOnTender({ code }: Problem): boolean {
  return CODES_DEPENDING_ON_TENDER.has(code);
}
