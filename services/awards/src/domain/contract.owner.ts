import { contractOwnershipApi } from '@procurement/contracts/api/transfers.api';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { Decision } from '@procurement/domain/decision';
import type { Ownership } from '@procurement/domain/ownership';
import {
  admitOwnershipChange,
  decideOwnershipChange,
  type OwnershipAdmissionInput,
  type OwnershipRequest,
} from '@procurement/domain/ownership-change';
import { ownerOfContract } from './awarding.permissions.ts';
import type { Awarding, AwardingEvent, ChangeContractOwner, ContractOwnership } from './awarding.ts';
import { contractStatusRefusal } from './implementation.view.ts';

/** Statuses of a contract that can get credentials and another owner (contracting.md 8). */
export const OWNED_IN: readonly string[] = ['pending', 'active'];

/** The checks that need no other service. */
export function admitChangeOfContractOwner(
  { tender, contracts }: Awarding,
  id: string,
  input: Pick<OwnershipAdmissionInput, 'body' | 'actor' | 'sha256'>,
): { readonly request: OwnershipRequest } | { readonly refused: Problem } {
  const contract = contracts.find((one) => one.id === id);
  if (contract === undefined) return { refused: problem('object.not-found', { kind: 'contract' }) };
  const { body: schema } = contractOwnershipApi.changeContractOwner;
  const over = contractStatusRefusal('ownership.contract-status', contract, OWNED_IN);
  return admitOwnershipChange({ ...input, mode: tender.mode, over, level: '1', schema });
}

/** No token has this hash: a contract without credentials can be taken over by nobody. */
const NO_TOKEN = '';

/** The present owner of a contract. Its tokens are those of its credentials. */
export function ownershipOfContract(awarding: Awarding, id: string): Ownership {
  const owner = ownerOfContract(awarding, id);
  const own = awarding.contractOwners[id];
  return own?.owner === owner ? own : { owner, tokenHash: NO_TOKEN, transferHash: NO_TOKEN };
}

/** Gives a contract to another broker. The tender stays with its owner, whose token opens the contract no more. */
export function changeContractOwner(
  awarding: Awarding,
  { id, change, meta }: ChangeContractOwner,
): Decision<AwardingEvent> {
  const contract = awarding.contracts.find((one) => one.id === id);
  if (contract === undefined) return { refused: problem('object.not-found', { kind: 'contract' }) };
  const over = contractStatusRefusal('ownership.contract-status', contract, OWNED_IN);
  if (over !== undefined) return { refused: over };
  const decision = decideOwnershipChange(change, { present: ownershipOfContract(awarding, id), actor: meta.actor });
  if ('refused' in decision) return decision;
  if (decision.next === undefined) return { accepted: [] };
  const own: ContractOwnership = { ...decision.next, isTakenOver: true };
  const contractOwners = { ...awarding.contractOwners, [id]: own };
  return { accepted: [{ type: 'AwardingChanged', parts: { contractOwners } }] };
}
