import type { DocumentFacts, DocumentParent } from '@procurement/contracts/events/document.events';
import type { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { AwardingState } from './awarding.ts';

type View = Readonly<Record<string, unknown>>;

/** The newest versions of what hangs off a tender and its parts; absent while there are none. */
export type Documents = DocumentFacts | undefined;

/**
 * What siblings and, through them, everybody know of the awards of a tender; whose complaints are stands beside them, for siblings
 * only. Documents are told by their own service.
 */
export function awardFacts({ id, version, awards, contracts, complaintOwners }: AwardingState): AwardFacts {
  const owners = Object.entries(complaintOwners).map(([complaint, { owner, tokenHash }]) => [
    complaint,
    { owner, ownerTokenHash: tokenHash },
  ]);
  const facts = { id, version, awards, contracts };
  // All of an award and of a contract is public; the facts name only what others look at.
  return (owners.length === 0
    ? facts
    : { ...facts, complaintOwners: Object.fromEntries(owners) }) as unknown as AwardFacts;
}

export function awardView(award: StoredAward, documents: Documents): View {
  return {
    ...award,
    ...documentsOfParent(documents, 'award', award.id),
    ...memberUnlessEmpty(
      'complaints',
      award.complaints?.map((complaint) => complaintView(complaint, documents)),
    ),
  };
}

/** Whoever complains of an award is told to everybody: bids are open by then (tenders.md 10). */
export function complaintView(complaint: StoredComplaint, documents: Documents): View {
  return { ...complaint, ...documentsOfParent(documents, 'award complaint', complaint.id) };
}

export function contractView(contract: StoredContract, documents: Documents): View {
  return { ...contract, ...documentsOfParent(documents, 'contract', contract.id) };
}

function documentsOfParent(documents: Documents, kind: DocumentParent['kind'], id: string): View {
  const own = documents?.documents.filter(({ parent }) => parent.kind === kind && parent.id === id);
  return memberUnlessEmpty(
    'documents',
    own?.map(({ document }) => document),
  );
}

function memberUnlessEmpty(name: string, list: readonly unknown[] | undefined): View {
  return list === undefined || list.length === 0 ? {} : { [name]: list };
}
