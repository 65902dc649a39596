import { allowing, problem, type Problem, type ProblemCode } from '@procurement/contracts/problems/problems';
import type { StoredContract, StoredImplementation } from '@procurement/contracts/resources/contract';

/** A contract as it is now: what followed the signature is laid over what was signed (contracting.md 2.3). */
export type PresentContract = Omit<StoredContract, 'implementation'> &
  Partial<Pick<StoredImplementation, 'amountPaid' | 'terminationDetails' | 'changes'>> & {
    readonly implementation?: Pick<StoredImplementation, 'transactions'>;
  };

export function presentContract({ implementation, ...signed }: StoredContract): PresentContract {
  if (implementation === undefined) return signed;
  const { transactions, date = signed.date, ...present } = implementation;
  return { ...signed, ...present, date, ...(transactions === undefined ? {} : { implementation: { transactions } }) };
}

/** The refusal of an act on a contract that is now in none of these statuses. */
export function contractStatusRefusal(
  code: ProblemCode,
  stored: StoredContract,
  allowedStatuses: readonly string[],
): Problem | undefined {
  const { status } = presentContract(stored);
  return allowedStatuses.includes(status) ? undefined : allowing(problem(code, { status }), { allowedStatuses });
}
