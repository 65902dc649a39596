import { permissionProblem } from '@procurement/domain/admission';
import { problem } from '@procurement/contracts/problems/problems';
import type { Decision } from '@procurement/domain/decision';
import { tenderRoleOf } from '@procurement/domain/roles';
import type { Awarding, AwardingEvent, IssueCredentials } from './awarding.ts';

/**
 * Issues a token for one contract to the tender owner (clients.md). A second call replaces the first token: only the hash of
 * the last one is stored.
 */
export function issueCredentials(awarding: Awarding, { id, meta }: IssueCredentials): Decision<AwardingEvent> {
  const { tender, contracts } = awarding;
  if (contracts.every((contract) => contract.id !== id)) {
    return { refused: problem('object.not-found', { kind: 'contract' }) };
  }
  const refused = permissionProblem(meta.actor, tenderRoleOf(tender, meta.actor) === 'tender_owner', {
    owner: tender.owner,
  });
  if (refused !== undefined) return { refused };
  const ownership = { owner: tender.owner, tokenHash: meta.tokenHash };
  const contractOwners = { ...awarding.contractOwners, [id]: ownership };
  return { accepted: [{ type: 'AwardingChanged', parts: { contractOwners } }] };
}
