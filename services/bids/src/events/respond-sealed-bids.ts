import { z } from 'zod';
import type { Deps } from '../deps.ts';

const SealedBidsRequest = z.object({ id: z.string() });

/** Answers the auction: the sealed set of a tender with what it offers. Nobody else asks for it, and nobody keeps it. */
export function respondSealedBids({ auctions }: Pick<Deps, 'auctions'>): (question: unknown) => Promise<unknown> {
  return async (question) => ({ bids: await auctions.sealedSet(SealedBidsRequest.parse(question).id) });
}
