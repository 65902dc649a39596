import { allowing, problem, type Problem } from '@procurement/contracts/problems/problems';
import type { StandaloneContractPatch } from '@procurement/contracts/resources/contract';
import { netAmountRefusal } from './implementation.amounts.ts';
import { changesItemsList } from './implementation.items.ts';
import type { PresentContract } from './implementation.view.ts';

/** A change of a signed contract: as it is, as it would be, and the body as it was read. */
interface SignedChange {
  readonly present: PresentContract;
  readonly next: PresentContract;
  readonly requested: StandaloneContractPatch;
}

type Check = (change: SignedChange) => Problem | undefined;

/** Checks 3 to 12 of contracting.md 4.3; the first that fails is answered. The model has made checks 1 and 2. */
const CHECKS: readonly Check[] = [
  ({ present: { status } }) =>
    status === 'active'
      ? undefined
      : allowing(problem('contract.closed', { status }), { allowedStatuses: ['pending', 'active'] }),
  ({ present, requested }) =>
    changesItemsList(present.items, requested.items) ? problem('contract.items-list') : undefined,
  ({ present, next }) =>
    present.value !== undefined && next.value?.currency !== present.value.currency
      ? problem('contract.currency')
      : undefined,
  ({ present, next }) => netAmountRefusal('value', present.value, next.value),
  ({ next: { value, amountPaid } }) =>
    value !== undefined && amountPaid !== undefined && amountPaid.currency !== value.currency
      ? problem('contract.paid-currency')
      : undefined,
  ({ present, next }) => netAmountRefusal('amountPaid', present.amountPaid, next.amountPaid),
  ({ next: { value, amountPaid } }) =>
    (amountPaid?.amountNet ?? 0) > (value?.amountNet ?? Infinity) ? problem('contract.paid-net') : undefined,
  ({ next: { status } }) =>
    status === 'active' || status === 'terminated'
      ? undefined
      : allowing(problem('contract.update-status'), { allowedStatuses: ['pending'] }),
  ({ next: { status, amountPaid } }) =>
    status === 'terminated' && amountPaid === undefined ? problem('contract.unpaid') : undefined,
];

/** The refusal of a change of a signed contract. */
export function signedChangeRefusal(change: SignedChange): Problem | undefined {
  for (const check of CHECKS) {
    const refused = check(change);
    if (refused !== undefined) return refused;
  }
  return undefined;
}
