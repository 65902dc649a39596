import type { Instant } from '@procurement/contracts/reading/instant';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { hasAuction } from './auction-period.ts';
import type { TenderSettings, TenderState } from './tender.ts';
import { publicView } from './tender.view.ts';

/** The facts that other services replicate. */
export function tenderFacts(state: TenderState, now: Instant, settings: TenderSettings): TenderFacts {
  return factsOfView(state, publicView(state, now, settings));
}

/** The facts of a state and its public view, from which `TenderFacts` picks its members. */
export function factsOfView(state: TenderState, view: Readonly<Record<string, unknown>>): TenderFacts {
  const { version, owner, ownerTokenHash, clockShift, complaintOwners, document } = state;
  const complaints = document.complaints?.flatMap((complaint) => {
    const ownership = complaintOwners[complaint.id];
    if (ownership === undefined) return [];
    return [{ ...complaint, owner: ownership.owner, ownerTokenHash: ownership.tokenHash }];
  });
  const { cancellations } = document;
  return TenderFacts.parse({
    ...view,
    version,
    owner,
    ownerTokenHash,
    complaints,
    cancellations,
    awardsVersion: state.awards?.version ?? 0,
    documentsVersion: state.documents?.version ?? 0,
    ...(clockShift === 0 ? {} : { clockShift }),
    ...(hasAuction(document) ? {} : { hasAuction: false }),
  });
}
