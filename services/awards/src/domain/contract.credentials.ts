import { permissionProblem } from '@procurement/domain/admission';
import { problem } from '@procurement/contracts/problems/problems';
import type { Decision } from '@procurement/domain/decision';
import { tenderRoleOf } from '@procurement/domain/roles';
import type { Awarding, AwardingEvent, IssueCredentials } from './awarding.ts';
import { OWNED_IN } from './contract.owner.ts';
import { contractStatusRefusal } from './implementation.view.ts';

/**
 * Issues the tokens of one contract to the tender owner (clients.md), until another broker takes the contract over. A second call
 * replaces the first tokens: only the hashes of the last ones are stored.
 */
export function issueCredentials(awarding: Awarding, { id, meta }: IssueCredentials): Decision<AwardingEvent> {
  const { tender, contracts } = awarding;
  const contract = contracts.find((one) => one.id === id);
  if (contract === undefined) return { refused: problem('object.not-found', { kind: 'contract' }) };
  const isTakenOver = awarding.contractOwners[id]?.isTakenOver === true;
  const isOwner = !isTakenOver && tenderRoleOf(tender, meta.actor) === 'tender_owner';
  const refused =
    permissionProblem(meta.actor, isOwner, { owner: tender.owner }) ??
    contractStatusRefusal('contract.credentials-status', contract, OWNED_IN);
  if (refused !== undefined) return { refused };
  const { tokenHash, transferHash } = meta;
  const ownership = { owner: tender.owner, tokenHash, transferHash };
  const contractOwners = { ...awarding.contractOwners, [id]: ownership };
  return { accepted: [{ type: 'AwardingChanged', parts: { contractOwners } }] };
}
