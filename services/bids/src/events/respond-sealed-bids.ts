import type { BidLinks } from '@procurement/contracts/events/bid.events';
import { z } from 'zod';
import type { Deps } from '../deps.ts';

const TenderRequest = z.object({ id: z.string() });

/**
 * Responds to the auction service with the sealed set of a tender and its offers, which no event carries. Only once the bidding is
 * closed here, whatever the requester knows: an offer leaves this service at no other time. With open guards older segments read
 * bids before that (rulings R3).
 */
export function respondSealedBids({
  auctions,
  bids,
  settings,
}: Pick<Deps, 'auctions' | 'bids' | 'settings'>): (payload: unknown) => Promise<unknown> {
  return async (payload) => {
    const { id } = TenderRequest.parse(payload);
    if (!settings.legacyGuardsOpen && (await bids.phase(id)) === 'open') {
      throw new Error('the bidding is not closed: no offer is given away');
    }
    return { bids: await auctions.sealedSet(id) };
  };
}

/** Responds to the auction service, which publishes addresses again until the bids have the links. Contains no link. */
export function respondBidLinks({ auctions }: Pick<Deps, 'auctions'>): (payload: unknown) => Promise<BidLinks> {
  return async (payload) => ({ version: await auctions.linksVersion(TenderRequest.parse(payload).id) });
}
