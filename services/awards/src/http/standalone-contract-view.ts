import type { StoredContract } from '@procurement/contracts/resources/contract';
import { contractView, type Documents } from '../domain/awarding.view.ts';

/** A contract at its own address: with the id and the owner of its tender (clients.md). */
export interface StandaloneContract {
  readonly contract: StoredContract;
  readonly tenderId: string;
  readonly owner: string;
}

export function standaloneContractView(
  { contract, tenderId, owner }: StandaloneContract,
  documents: Documents,
): Readonly<Record<string, unknown>> {
  return { ...contractView(contract, documents), tender_id: tenderId, owner };
}
