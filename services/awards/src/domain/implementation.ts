import { admitWrite, type Admission } from '@procurement/domain/admission';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { StoredContract, StoredImplementation } from '@procurement/contracts/resources/contract';
import type { Decision } from '@procurement/domain/decision';
import { deepEqual } from '@procurement/domain/equality';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { ownerOfContract, roleInContract } from './awarding.permissions.ts';
import type { Awarding, AwardingEvent, AwardMeta } from './awarding.ts';

/** The checks that precede the validation of a body, for the owner of a contract (contracting.md 8). */
export function admitContractOwner(
  awarding: Awarding,
  contractId: string,
  body: BodyResult,
  { actor }: AwardMeta,
): Admission {
  const isOwner = roleInContract(awarding, contractId, actor) === 'tender_owner';
  return admitWrite(body, actor, isOwner, { owned: { owner: ownerOfContract(awarding, contractId) } });
}

/** Stores what followed the signature of a contract; no event when it is the same as before. */
export function withImplementation(
  { contracts }: Awarding,
  stored: StoredContract,
  parts: Partial<StoredImplementation>,
): Decision<AwardingEvent> {
  const before = stored.implementation ?? { status: 'active' };
  const implementation = omitEmpty<StoredImplementation>({ ...before, ...parts });
  if (deepEqual(implementation, before)) return { accepted: [] };
  const changed = contracts.map((one) => (one.id === stored.id ? { ...one, implementation } : one));
  return { accepted: [{ type: 'AwardingChanged', parts: { contracts: changed } }] };
}
