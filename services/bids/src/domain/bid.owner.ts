import { bidOwnershipApi } from '@procurement/contracts/api/transfers.api';
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
import type { BidEvent, BiddingState, BidState, ChangeBidOwner } from './bid.ts';

/** The checks that need no other service. */
export function admitChangeOfBidOwner(
  tender: TenderFacts,
  input: Pick<OwnershipAdmissionInput, 'body' | 'actor' | 'sha256'>,
): { readonly request: OwnershipRequest } | { readonly refused: Problem } {
  const { body: schema } = bidOwnershipApi.changeBidOwner;
  return admitOwnershipChange({ ...input, mode: tender.mode, over: finalRefusal(tender.status), level: '2', schema });
}

export function ownershipOf({ owner, ownerTokenHash: tokenHash, transferHash }: BidState): Ownership {
  return { owner, tokenHash, transferHash };
}

/** Gives a bid to another broker, in any phase of a running tender (http.md 3.6). What it offers stays as it is. */
export function changeBidOwner({ tender, bid }: BiddingState, { change, meta }: ChangeBidOwner): Decision<BidEvent> {
  if (tender === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  if (bid === undefined) return { refused: problem('object.not-found', { kind: 'bid' }) };
  const over = finalRefusal(tender.status);
  if (over !== undefined) return { refused: over };
  const decision = decideOwnershipChange(change, { present: ownershipOf(bid), actor: meta.actor });
  if ('refused' in decision) return decision;
  return { accepted: decision.next === undefined ? [] : [{ type: 'BidOwnerChanged', owner: decision.next }] };
}
