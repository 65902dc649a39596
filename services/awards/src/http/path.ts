import { problem } from '@procurement/contracts/problems/problems';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { StoredContractChange } from '@procurement/contracts/resources/contract-change';
import type { StoredTransaction } from '@procurement/contracts/resources/transaction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { AwardingState } from '../domain/awarding.ts';
import { changesOf } from '../domain/implementation.changes.ts';
import { transactionsOf } from '../domain/implementation.transactions.ts';

type PathObject = 'tender' | 'award' | 'complaint' | 'contract' | 'change' | 'transaction';

/** The id of that kind in the path; undefined when the path has none. */
function optionalIdInPath(request: FastifyRequest, kind: PathObject): string | undefined {
  // The router sets a string for every named parameter of a matched path.
  return (request.params as Readonly<Record<string, string>>)[`${kind}_id`];
}

/** The id of that kind in a path that has one. Throws 404 `object.not-found` otherwise. */
export function idInPath(request: FastifyRequest, kind: PathObject): string {
  return orNotFound(optionalIdInPath(request, kind), kind);
}

export interface TenderWithAwarding {
  readonly tender: TenderFacts;
  readonly state: AwardingState;
}

/** The id of the tender in the path, else of the tender of the contract in the path. Throws 404 `object.not-found`. */
export async function findTenderId(deps: Deps, request: FastifyRequest): Promise<string> {
  const named = optionalIdInPath(request, 'tender');
  if (named !== undefined) return named;
  return orNotFound(await deps.awardings.tenderOfContract(idInPath(request, 'contract')), 'contract');
}

/** The tender of the path and its awards, for reads. Throws 404 `object.not-found`; UnavailableError (503) as `Replica.find`. */
export async function loadPathTender(deps: Deps, request: FastifyRequest): Promise<TenderWithAwarding> {
  const id = await findTenderId(deps, request);
  const [tender, state] = await Promise.all([deps.tenders.find(id, request), deps.awardings.find(id)]);
  return { tender: orNotFound(tender, 'tender'), state };
}

export function requireAward({ awards }: AwardingState, id: string): StoredAward {
  return orNotFound(
    awards.find((award) => award.id === id),
    'award',
  );
}

export function requireComplaint({ complaints = [] }: StoredAward, id: string): StoredComplaint {
  return orNotFound(
    complaints.find((complaint) => complaint.id === id),
    'complaint',
  );
}

export function requireContract({ contracts }: AwardingState, id: string): StoredContract {
  return orNotFound(
    contracts.find((contract) => contract.id === id),
    'contract',
  );
}

export function requireChange(contract: StoredContract, id: string): StoredContractChange {
  return orNotFound(
    changesOf(contract).find((change) => change.id === id),
    'change',
  );
}

export function requireTransaction(contract: StoredContract, id: string): StoredTransaction {
  return orNotFound(
    transactionsOf(contract).find((transaction) => transaction.id === id),
    'transaction',
  );
}

/**
 * Throws the 404 of the outermost object in the path that does not exist; `mountContracts` calls it before it answers 405
 * (http.md 0.2 steps 3, 4).
 */
export function requirePathObjects(deps: Deps): (request: FastifyRequest) => Promise<undefined> {
  return async (request) => {
    const { state } = await loadPathTender(deps, request);
    const kinds = ['award', 'complaint', 'contract', 'change', 'transaction'] as const;
    const [awardId, complaintId, contractId, changeId, transactionId] = kinds.map((kind) =>
      optionalIdInPath(request, kind),
    );
    const award = awardId === undefined ? undefined : requireAward(state, awardId);
    if (award !== undefined && complaintId !== undefined) requireComplaint(award, complaintId);
    const contract = contractId === undefined ? undefined : requireContract(state, contractId);
    if (contract !== undefined && changeId !== undefined) requireChange(contract, changeId);
    if (contract !== undefined && transactionId !== undefined) requireTransaction(contract, transactionId);
    return undefined;
  };
}

/** The object of the path. Throws 404 `object.not-found` when there is none. */
export function orNotFound<T>(object: T | undefined, kind: PathObject): T {
  if (object === undefined) throw new ProblemError(problem('object.not-found', { kind }));
  return object;
}
