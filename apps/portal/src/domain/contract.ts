import type { StandaloneContract, Tender } from '@procurement/client';

/** A contract as it is now, as the API shows it at its own address. */
export type ContractData = StandaloneContract;
export type ContractChange = NonNullable<ContractData['changes']>[number];
export type Payment = NonNullable<NonNullable<ContractData['implementation']>['transactions']>[number];

/** What the page of a contract needs of its tender. */
export type ContractTender = Pick<Tender, 'tenderID' | 'title' | 'title_en' | 'lots' | 'awards' | 'contracts'>;

/** The contract in its tender: as it was signed, and beside it what followed. */
export type SignedContract = NonNullable<Tender['contracts']>[number];

/** What followed the signature of a contract; empty before it. */
export function implementationOf({
  implementation,
}: SignedContract): Partial<NonNullable<SignedContract['implementation']>> {
  return implementation ?? {};
}

const SIGNED: ReadonlySet<string> = new Set(['active', 'terminated']);

/** Whether a contract was signed. */
export const isSigned = ({ status }: { readonly status: string }): boolean => SIGNED.has(status);
