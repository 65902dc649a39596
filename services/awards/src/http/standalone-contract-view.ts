import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { FastifyRequest } from 'fastify';
import type { Awarding } from '../domain/awarding.ts';
import { contractView, type Documents } from '../domain/awarding.view.ts';
import { presentContract } from '../domain/implementation.view.ts';
import { contractOf } from './path.ts';

/** A contract at its own address: with the id and the owner of its tender (clients.md). */
export interface StandaloneContract {
  readonly contract: StoredContract;
  readonly tenderId: string;
  readonly owner: string;
  /** Whether what followed the signature is shown: on 2.5 only (contracting.md 10.1). */
  readonly isPresent: boolean;
}

/** A contract for an answer to this request. Throws 404. */
export function standaloneContractIn(
  awarding: Awarding,
  id: string,
  { identity }: Pick<FastifyRequest, 'identity'>,
): StandaloneContract {
  return {
    contract: contractOf(awarding, id),
    tenderId: awarding.id,
    owner: awarding.tender.owner,
    isPresent: identity.segment === '2.5',
  };
}

export function standaloneContractView(
  { contract, tenderId, owner, isPresent }: StandaloneContract,
  documents: Documents,
): Readonly<Record<string, unknown>> {
  const shown = isPresent ? presentContract(contract) : contract;
  return { ...contractView(shown, documents), tender_id: tenderId, owner };
}
