import { contractsApi } from '@procurement/contracts/api/contracts.api';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { CONTRACT_STATUSES, type ContractStatus } from '@procurement/contracts/resources/contract';
import type { Decision } from '@procurement/domain/decision';
import type { Edits } from '@procurement/domain/ignored-members';
import type { AwardingEvent } from './awarding.ts';
import { changeContract, CONTRACT_MEMBERS } from './contract.change.ts';
import { changeSignedContract, IMPLEMENTATION_MEMBERS } from './implementation.change.ts';

/** Members that only a signed contract has, or that are read back from its own address. */
const OF_OWN_ADDRESS = Object.keys(contractsApi.patchStandaloneContract.body.shape).filter(
  (name) => !Object.hasOwn(contractsApi.patchContract.body.shape, name),
);

/**
 * PATCH of a contract at its own address: before the signature by the rules of its tender (bids-awards-auction.md 4.3), after it by
 * those of contracting.md 4.3.
 */
export function changeStandaloneContract(...act: Parameters<typeof changeContract>): Decision<AwardingEvent> {
  const [awarding, id, body, meta] = act;
  const signed = awarding.contracts.find((contract) => contract.id === id && contract.status !== 'pending');
  return signed === undefined
    ? changeContract(awarding, id, withoutMembersOfOwnAddress(body), meta)
    : changeSignedContract(awarding, signed, body, meta);
}

function withoutMembersOfOwnAddress(body: BodyResult): BodyResult {
  if (body.kind !== 'data') return body;
  const entries = Object.entries(body.data).filter(([name]) => !OF_OWN_ADDRESS.includes(name));
  return { ...body, data: Object.fromEntries(entries) };
}

/** What a PATCH at the contract's own address may change, by the present status (rulings R40). */
export function editsOfStandaloneContract(status: ContractStatus): Edits {
  const members: Partial<Record<string, readonly string[]>> = {
    pending: CONTRACT_MEMBERS,
    active: IMPLEMENTATION_MEMBERS,
  };
  return { status, statuses: CONTRACT_STATUSES, membersIn: (one) => members[one] ?? [] };
}
