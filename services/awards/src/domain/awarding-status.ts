import { allowing, problem, type Problem, type ProblemCode } from '@procurement/contracts/problems/problems';
import { statusesThat } from '@procurement/domain/tender-status';

/** Tender statuses in which awards, their complaints and contracts can be changed (bids-awards-auction.md 3.2, 4.3). */
export function isAwardingStatus(status: string): boolean {
  return status === 'active.qualification' || status === 'active.awarded';
}

/** The refusal by the status of a tender in which nothing is awarded. */
export function awardingRefusal(code: ProblemCode, status: string): Problem | undefined {
  if (isAwardingStatus(status)) return undefined;
  return allowing(problem(code, { status }), { allowedStatuses: statusesThat(isAwardingStatus) });
}
