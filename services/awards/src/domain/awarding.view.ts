import type { DocumentFacts, DocumentParent } from '@procurement/contracts/events/document.events';
import type { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { Owned } from '@procurement/domain/ownership';
import type { AwardingState, ContractOwnership } from './awarding.ts';

type View = Readonly<Record<string, unknown>>;

/** Documents of a tender and its parts, newest versions only; absent before the first `document.changed`. */
export type Documents = DocumentFacts | undefined;

/**
 * Data of `award.changed`. Owners of complaints and contracts are members of their own: the tender shows `awards` and `contracts`
 * unchanged, and their token hashes must not be public. Documents are not included; the documents service
 * publishes them.
 */
export function awardFacts(state: AwardingState): AwardFacts {
  const { id, version, awards, contracts } = state;
  const owners = {
    ...ownersMember('complaintOwners', state.complaintOwners),
    ...ownersMember('contractOwners', state.contractOwners),
  };
  // The schema of the facts names only the members that consumers read; awards and contracts are public as a whole.
  return { id, version, awards, contracts, ...owners } as unknown as AwardFacts;
}

type HeldTokens = Owned & Pick<ContractOwnership, 'isTakenOver'>;

function ownersMember(name: string, owners: Readonly<Record<string, HeldTokens>>): View {
  const facts = Object.entries(owners).map(([id, { owner, tokenHash, isTakenOver }]) => [
    id,
    { owner, ownerTokenHash: tokenHash, ...(isTakenOver === undefined ? {} : { isTakenOver }) },
  ]);
  return facts.length === 0 ? {} : { [name]: Object.fromEntries(facts) };
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

/** The author is public: bids are open when complaints about awards are filed (tenders.md 10). */
export function complaintView(complaint: StoredComplaint, documents: Documents): View {
  return { ...complaint, ...documentsOfParent(documents, 'award complaint', complaint.id) };
}

export function contractView(contract: StoredContract, documents: Documents): View {
  return { ...contract, ...documentsOfParent(documents, 'contract', contract.id) };
}

function documentsOfParent(documents: Documents, kind: DocumentParent['kind'], id: string): View {
  return memberUnlessEmpty('documents', selectDocuments(documents, kind, id));
}

/** The documents of one parent, oldest version first. */
export function selectDocuments(documents: Documents, kind: DocumentParent['kind'], id: string): readonly unknown[] {
  const own = documents?.documents.filter(({ parent }) => parent.kind === kind && parent.id === id) ?? [];
  return own.map(({ document }) => document);
}

function memberUnlessEmpty(name: string, list: readonly unknown[] | undefined): View {
  return list === undefined || list.length === 0 ? {} : { [name]: list };
}
