import { complaintOwnershipApi, tenderOwnershipApi } from '@procurement/contracts/api/transfers.api';
import type { Actor } from '@procurement/contracts/api/actor';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { Decision } from '@procurement/domain/decision';
import type { Ownership } from '@procurement/domain/ownership';
import {
  admitOwnershipChange,
  decideOwnershipChange,
  type OwnershipRequest,
  finalRefusal,
} from '@procurement/domain/ownership-change';
import type { ChangeOwner, TenderEvent, TenderState } from './tender.ts';

/** The object whose owner changes: the tender, or one of its complaints. */
export type OwnedObject = Pick<ChangeOwner, 'complaintId'>;

/** The owner of the object, or the 404 of http.md 0.2 steps 3 and 4. */
export function presentOwner(
  state: TenderState | undefined,
  { complaintId }: OwnedObject,
): { readonly state: TenderState; readonly present: Ownership } | { readonly refused: Problem } {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const { owner, ownerTokenHash: tokenHash, transferHash, complaintOwners } = state;
  const present = complaintId === undefined ? { owner, tokenHash, transferHash } : complaintOwners[complaintId];
  return present === undefined ? { refused: problem('object.not-found', { kind: 'complaint' }) } : { state, present };
}

/** The checks that need no other service. */
export function admitChangeOfOwner(
  { document }: TenderState,
  { complaintId }: OwnedObject,
  input: { readonly body: BodyResult; readonly actor: Actor; readonly sha256: (text: string) => string },
): { readonly request: OwnershipRequest } | { readonly refused: Problem } {
  const shared = { ...input, mode: document.mode, over: finalRefusal(document.status) };
  return complaintId === undefined
    ? admitOwnershipChange({
        ...shared,
        level: '1',
        schema: tenderOwnershipApi.changeTenderOwner.body,
      })
    : admitOwnershipChange({
        ...shared,
        level: '2',
        schema: complaintOwnershipApi.changeComplaintOwner.body,
      });
}

/** Gives a tender or a complaint to another broker (http.md 3.6). The old tokens end with the old ownership. */
export function changeOwner(state: TenderState | undefined, command: ChangeOwner): Decision<TenderEvent> {
  const found = presentOwner(state, command);
  if ('refused' in found) return found;
  const { document, complaintOwners } = found.state;
  const over = finalRefusal(document.status);
  if (over !== undefined) return { refused: over };
  const { change, meta, complaintId } = command;
  const decision = decideOwnershipChange(change, { present: found.present, actor: meta.actor });
  if ('refused' in decision) return decision;
  const { next } = decision;
  if (next === undefined) return { accepted: [] };
  if (complaintId === undefined) return { accepted: [{ type: 'TenderOwnerChanged', owner: next }] };
  const parts = { complaintOwners: { ...complaintOwners, [complaintId]: next } };
  return { accepted: [{ type: 'TenderChanged', parts }] };
}
