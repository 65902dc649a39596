import type { BidLinks } from '@procurement/contracts/events/bid.events';
import { z } from 'zod';
import type { Deps } from '../deps.ts';

const TenderRequest = z.object({ id: z.string() });

/** Responds to the auction service with the sealed set of a tender and its offers, which no event carries. */
export function respondSealedBids({ auctions }: Pick<Deps, 'auctions'>): (payload: unknown) => Promise<unknown> {
  return async (payload) => ({ bids: await auctions.sealedSet(TenderRequest.parse(payload).id) });
}

/** Responds to the auction service, which publishes addresses again until the bids have the links. Contains no link. */
export function respondBidLinks({ auctions }: Pick<Deps, 'auctions'>): (payload: unknown) => Promise<BidLinks> {
  return async (payload) => ({ version: await auctions.linksVersion(TenderRequest.parse(payload).id) });
}
