import type { IgnoredMember } from '@procurement/contracts/problems/ignored-members';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { ignoredMembers } from '@procurement/domain/ignored-members';
import type { Deps } from '../deps.ts';
import { editsOfBid } from '../domain/bid.change.ts';
import type { BidRole } from '../domain/bid.roles.ts';
import type { BidState } from '../domain/bid.ts';
import { documentsOfBids } from './bid.view.ts';

interface BidPatch {
  readonly body: BodyResult;
  readonly bid: BidState;
  readonly role: BidRole;
}

/**
 * Finds what a PATCH sends and does not change (rulings R40). The documents of the bid are read only for a body that has some, as that
 * of a client which sends a whole bid back.
 */
export async function ignoredInBid(
  deps: Pick<Deps, 'documents' | 'bids'>,
  { body, bid: { id, tenderId }, role }: BidPatch,
): Promise<(before: BidState, after: BidState) => readonly IgnoredMember[]> {
  if (body.kind === 'refused' || role === 'stranger') return () => [];
  const ownDocuments = async () =>
    (await documentsOfBids(deps, { tenderId, ids: [id], phase: await deps.bids.phase(tenderId) }))[id];
  const documents = Object.hasOwn(body.data, 'documents') ? await ownDocuments() : undefined;
  return (before, after) =>
    ignoredMembers({
      sent: body.data,
      before: { ...before.document, documents },
      after: { ...after.document, documents },
      edits: editsOfBid(role),
    });
}
