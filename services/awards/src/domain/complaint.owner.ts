import { awardComplaintOwnershipApi } from '@procurement/contracts/api/transfers.api';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Decision } from '@procurement/domain/decision';
import type { Ownership } from '@procurement/domain/ownership';
import {
  admitOwnershipChange,
  decideOwnershipChange,
  type OwnershipAdmissionInput,
  type OwnershipRequest,
  finalRefusal,
} from '@procurement/domain/ownership-change';
import type { Awarding, AwardingEvent, AwardingState, ChangeComplaintOwner } from './awarding.ts';

/** The checks that need no other service. */
export function admitChangeOfComplaintOwner(
  tender: TenderFacts,
  input: Pick<OwnershipAdmissionInput, 'body' | 'actor' | 'sha256'>,
): { readonly request: OwnershipRequest } | { readonly refused: Problem } {
  const { body: schema } = awardComplaintOwnershipApi.changeAwardComplaintOwner;
  return admitOwnershipChange({ ...input, mode: tender.mode, over: finalRefusal(tender.status), level: '2', schema });
}

/** The owner of a complaint about an award, or the 404 of http.md 0.2 step 4. */
export function ownerOfComplaint(
  { awards, complaintOwners }: AwardingState,
  { awardId, id }: Pick<ChangeComplaintOwner, 'awardId' | 'id'>,
): { readonly present: Ownership } | { readonly refused: Problem } {
  const award = awards.find((one) => one.id === awardId);
  if (award === undefined) return { refused: problem('object.not-found', { kind: 'award' }) };
  const present = award.complaints?.some((complaint) => complaint.id === id) ? complaintOwners[id] : undefined;
  return present === undefined ? { refused: problem('object.not-found', { kind: 'complaint' }) } : { present };
}

/** Gives a complaint about an award to another broker, while the tender runs (http.md 3.6). */
export function changeComplaintOwner(awarding: Awarding, command: ChangeComplaintOwner): Decision<AwardingEvent> {
  const found = ownerOfComplaint(awarding, command);
  if ('refused' in found) return found;
  const over = finalRefusal(awarding.tender.status);
  if (over !== undefined) return { refused: over };
  const { change, meta, id } = command;
  const decision = decideOwnershipChange(change, { present: found.present, actor: meta.actor });
  if ('refused' in decision) return decision;
  if (decision.next === undefined) return { accepted: [] };
  const complaintOwners = { ...awarding.complaintOwners, [id]: decision.next };
  return { accepted: [{ type: 'AwardingChanged', parts: { complaintOwners } }] };
}
