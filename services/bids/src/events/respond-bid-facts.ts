import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { bidFacts } from '../store/bid.events.ts';

const BidRequest = z.object({ id: z.string() });

/** Responds with the public facts of a bid; nothing when it does not exist or was withdrawn. */
export function respondBidFacts({ bids }: Pick<Deps, 'bids'>): (request: unknown) => Promise<unknown> {
  return async (request) => {
    const bid = await bids.find(BidRequest.parse(request).id);
    return bid === undefined ? undefined : bidFacts(bid, bid.document.status);
  };
}
