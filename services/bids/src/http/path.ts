import { problem } from '@procurement/contracts/problems/problems';
import type { RefreshableFacts } from '@procurement/kit/http/decide-with-refresh';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { owns } from '@procurement/domain/ownership';
import type { FastifyRequest } from 'fastify';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Deps } from '../deps.ts';
import type { BidState } from '../domain/bid.ts';

/** Ids named by the path. The router gives text for every named parameter of a matched path. */
function pathIds(request: FastifyRequest): { readonly tender_id: string; readonly bid_id?: string } {
  return request.params as { tender_id: string; bid_id?: string };
}

/**
 * The tender of the path, requested from its owner when this service has no copy. Throws 404 `object.not-found`; UnavailableError
 * (503) when the owner does not answer in time.
 */
export async function loadTender(deps: Deps, request: FastifyRequest): Promise<TenderFacts> {
  const tender = await deps.tenders.find(pathIds(request).tender_id, request);
  if (tender === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
  return tender;
}

/** A tender for the decision of a write: its refusal is 503 while the tenders service does not answer (decision 0029). */
export function currentTender({ tenders }: Pick<Deps, 'tenders'>, tender: TenderFacts): RefreshableFacts<TenderFacts> {
  return tenderAsked(tender, async () => tenders.current(tender.id));
}

/** A tender for the decision of a read, which requests a newer version from the tenders service; the copy counts without it. */
export function refreshableTender(
  { tenders }: Pick<Deps, 'tenders'>,
  tender: TenderFacts,
): RefreshableFacts<TenderFacts> {
  return tenderAsked(tender, async () => tenders.refresh(tender.id));
}

function tenderAsked(tender: TenderFacts, ask: () => Promise<TenderFacts | undefined>): RefreshableFacts<TenderFacts> {
  return {
    facts: tender,
    async refresh() {
      const fresh = await ask();
      return fresh?.version === tender.version ? undefined : fresh;
    },
  };
}

/** The bid of the path, if it belongs to that tender. Throws 404 `object.not-found`. */
export async function loadBid(deps: Deps, request: FastifyRequest): Promise<BidState> {
  const { tender_id, bid_id } = pathIds(request);
  const bid = bid_id === undefined ? undefined : await deps.bids.find(bid_id);
  if (bid === undefined || bid.tenderId !== tender_id) {
    throw new ProblemError(problem('object.not-found', { kind: 'bid' }));
  }
  return bid;
}

/** The tender and the bid of the path, and whether the caller owns the bid. Throws as `loadTender`, then as `loadBid`. */
export async function loadBidOfCaller(
  deps: Deps,
  request: FastifyRequest,
): Promise<{ readonly tender: TenderFacts; readonly bid: BidState; readonly isOwner: boolean }> {
  const tender = await loadTender(deps, request);
  const bid = await loadBid(deps, request);
  return { tender, bid, isOwner: owns(request.identity, { owner: bid.owner, tokenHash: bid.ownerTokenHash }) };
}

/** Throws the 404 of the outermost object that a path names and that does not exist; else the 405 may be given. */
export function requirePathObjects(deps: Deps): (request: FastifyRequest) => Promise<undefined> {
  return async (request) => {
    await loadTender(deps, request);
    if (pathIds(request).bid_id !== undefined) await loadBid(deps, request);
    return undefined;
  };
}
