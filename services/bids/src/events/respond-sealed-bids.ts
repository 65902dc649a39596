import { z } from 'zod';
import type { Deps } from '../deps.ts';

const SealedBidsRequest = z.object({ id: z.string() });

/** Responds to the auction service with the sealed set of a tender and its offers, which no event carries. */
export function respondSealedBids({ auctions }: Pick<Deps, 'auctions'>): (payload: unknown) => Promise<unknown> {
  return async (payload) => ({ bids: await auctions.sealedSet(SealedBidsRequest.parse(payload).id) });
}
