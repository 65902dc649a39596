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
