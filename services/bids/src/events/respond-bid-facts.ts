import { z } from 'zod';
import type { Deps } from '../deps.ts';

const BidRequest = z.object({ id: z.string() });

/** Responds with the public facts of a bid; nothing when it does not exist or was withdrawn. */
export function respondBidFacts({ bids }: Pick<Deps, 'bids'>): (request: unknown) => Promise<unknown> {
  return async (request) => bids.facts(BidRequest.parse(request).id);
}
