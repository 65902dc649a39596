import { parseInstant } from '@procurement/contracts/reading/instant';
import { toJsonText } from '@procurement/domain/json-text';
import { problem, type Problem, allowing } from '@procurement/contracts/problems/problems';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { Awarding, AwardMeta } from './awarding.ts';
import { netAmountRefusal } from './implementation.amounts.ts';
import { blocksLot, blocksTender } from '@procurement/domain/complaint-blocking';
import type { ComplaintsMode } from '@procurement/domain/complaints';

/**
 * Checks 6 to 8 of bids-awards-auction.md 4.3: the VAT flag (except on 2.5, rulings R26) and the currency are unchanged, the amount is
 * at most that of the award, and fits the amount without VAT (contracting.md 4.3).
 */
export function valueRefusal(
  stored: StoredContract,
  next: StoredContract,
  award: StoredAward | undefined,
  { actor }: AwardMeta,
): Problem | undefined {
  const [storedValue, nextValue] = [stored.value, next.value];
  if (storedValue === undefined || nextValue === undefined) return undefined;
  const changesVat = nextValue.valueAddedTaxIncluded !== storedValue.valueAddedTaxIncluded;
  if (changesVat && actor.segment !== '2.5') return problem('contract.vat');
  if (nextValue.currency !== storedValue.currency) return problem('contract.currency');
  const awardedAmount = award?.value?.amount;
  if (awardedAmount !== undefined && nextValue.amount > awardedAmount) {
    return problem('contract.amount', { amount: amountText(awardedAmount) });
  }
  return netAmountRefusal('value', storedValue, nextValue);
}

/** Checks 9 to 11 of bids-awards-auction.md 4.3: stand-still, blocking complaints, and the status of the contract. */
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
    if (endDate !== undefined && parseInstant(endDate) > now) {
      return allowing(problem('contract.stand-still', { endDate }), { allowedFrom: endDate });
    }
    if (blocksSigning(awarding, award?.lotID, settings.complaintsMode)) return problem('contract.complaints');
    if (stored.status === 'pending') return undefined;
  }
  return allowing(problem('contract.update-status'), { allowedStatuses: ['pending'] });
}

/** Whether a complaint about the tender, this lot or one of its awards blocks signing (bids-awards-auction.md 4.3). */
function blocksSigning({ tender, awards }: Awarding, lot: string | undefined, mode: ComplaintsMode): boolean {
  const awardsOfLot = awards.filter((award) => award.lotID === lot);
  return blocksTender(tender, mode) || blocksLot(tender, awardsOfLot, lot, mode);
}

/** An amount as answers print it, with a fraction: `400.0` (bids-awards-auction.md 0.1). */
function amountText(amount: number): string {
  return toJsonText({ amount }).slice('{"amount":'.length, -1);
}
