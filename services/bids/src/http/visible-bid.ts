import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { BiddingPhase, BidState } from '../domain/bid.ts';
import { dependsOnTender } from '../domain/bid.guards.ts';
import { bidVisibilityRefusal } from '../domain/bid.visibility.ts';
import { loadBidOfCaller, refreshableTender } from './path.ts';
import { viewerContext } from './viewer-context.ts';

/** A bid that the caller may see whole. */
interface VisibleBid {
  readonly bid: BidState;
  readonly phase: BiddingPhase;
  readonly isOwner: boolean;
}

/** The bid of the path. While it is sealed, throws 403 `bid.sealed` for all but its owner. */
export async function loadVisibleBid(deps: Deps, request: FastifyRequest): Promise<VisibleBid> {
  const { tender, bid, isOwner } = await loadBidOfCaller(deps, request);
  const { phase } = await decideWithRefresh<TenderFacts, { readonly phase: BiddingPhase }>(
    refreshableTender(deps, tender),
    dependsOnTender,
    async (facts) => {
      const viewer = await viewerContext(deps, request, facts);
      const refused = bidVisibilityRefusal(viewer, bid, isOwner);
      return refused === undefined ? viewer : { refused };
    },
  );
  return { bid, phase, isOwner };
}
