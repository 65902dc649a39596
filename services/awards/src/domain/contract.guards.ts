import { instantOf } from '@procurement/contracts/reading/instant';
import { toJsonText } from '@procurement/domain/json-text';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { Awarding, AwardMeta } from './awarding.ts';
import { blocksSigning } from './complaint.blocking.ts';

/** Checks 6 to 8 of bids-awards-auction.md 4.3: the money of a contract is that of its award, or less. */
export function valueRefusal(
  stored: StoredContract,
  next: StoredContract,
  award: StoredAward | undefined,
): Problem | undefined {
  const [storedValue, nextValue] = [stored.value, next.value];
  if (storedValue === undefined || nextValue === undefined) return undefined;
  if (nextValue.valueAddedTaxIncluded !== storedValue.valueAddedTaxIncluded) return problem('contract.vat');
  if (nextValue.currency !== storedValue.currency) return problem('contract.currency');
  const awarded = award?.value?.amount;
  if (awarded === undefined || nextValue.amount <= awarded) return undefined;
  return problem('contract.amount', { amount: printedAmount(awarded) });
}

/** Checks 9 to 11: the stand-still is over, nothing blocks, and only a pending contract is signed. */
export function signingRefusal(
  awarding: Awarding,
  stored: StoredContract,
  next: StoredContract,
  award: StoredAward | undefined,
  { now, settings }: AwardMeta,
): Problem | undefined {
  if (next.status === stored.status) return undefined;
  if (next.status === 'active') {
    const endDate = award?.complaintPeriod?.endDate;
    if (endDate !== undefined && instantOf(endDate) > now) return problem('contract.stand-still', { endDate });
    if (blocksSigning(awarding, award?.lotID, settings.complaintsMode)) return problem('contract.complaints');
    if (stored.status === 'pending') return undefined;
  }
  return problem('contract.update-status');
}

/** As amounts leave: with a fraction (bids-awards-auction.md 0.1). */
function printedAmount(amount: number): string {
  return toJsonText({ amount }).slice('{"amount":'.length, -1);
}
