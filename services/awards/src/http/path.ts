import { problem, type Problem } from '@procurement/contracts/problems';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ProblemError } from '@procurement/kit/problem-error';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { AwardingState } from '../domain/awarding.ts';

type Kind = 'tender' | 'award' | 'complaint' | 'contract';

/** The id of that kind in the path; undefined where the path names none. */
function idIn(request: FastifyRequest, kind: Kind): string | undefined {
  // The router gives text for every named parameter of a matched path.
  return (request.params as Readonly<Record<string, string>>)[`${kind}_id`];
}

/** The id of that kind in a path that has one. */
export function idOf(request: FastifyRequest, kind: Kind): string {
  return present(idIn(request, kind), kind);
}

/** A tender with its awards, as a request finds them. */
export interface Found {
  readonly tender: TenderFacts;
  readonly state: AwardingState;
}

/** The tender of the path, that of its contract where it names only that. Throws 404 `object.not-found`. */
export async function tenderIdOf(deps: Deps, request: FastifyRequest): Promise<string> {
  const named = idIn(request, 'tender');
  if (named !== undefined) return named;
  return present(await deps.awardings.tenderOfContract(idOf(request, 'contract')), 'contract');
}

/** What the path begins with, for who only looks. */
export async function foundBy(deps: Deps, request: FastifyRequest): Promise<Found> {
  const id = await tenderIdOf(deps, request);
  const [tender, state] = await Promise.all([deps.tenders.find(id), deps.awardings.find(id)]);
  return { tender: present(tender, 'tender'), state };
}

export function awardOf({ awards }: AwardingState, id: string): StoredAward {
  return present(
    awards.find((award) => award.id === id),
    'award',
  );
}

export function complaintOf({ complaints = [] }: StoredAward, id: string): StoredComplaint {
  return present(
    complaints.find((complaint) => complaint.id === id),
    'complaint',
  );
}

export function contractOf({ contracts }: AwardingState, id: string): StoredContract {
  return present(
    contracts.find((contract) => contract.id === id),
    'contract',
  );
}

/** The 404 of a path, outermost object first; undefined when everything that it names exists (http.md 0.2 steps 3, 4). */
export function objectsMissing(deps: Deps): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    try {
      const { state } = await foundBy(deps, request);
      const [awardId, complaintId, contractId] = (['award', 'complaint', 'contract'] as const).map((kind) =>
        idIn(request, kind),
      );
      const award = awardId === undefined ? undefined : awardOf(state, awardId);
      if (award !== undefined && complaintId !== undefined) complaintOf(award, complaintId);
      if (contractId !== undefined) contractOf(state, contractId);
      return undefined;
    } catch (error) {
      if (error instanceof ProblemError) return error.problem;
      throw error;
    }
  };
}

function present<T>(object: T | undefined, kind: Kind): T {
  if (object === undefined) throw new ProblemError(problem('object.not-found', { kind }));
  return object;
}
