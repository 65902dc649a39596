import { z } from 'zod';
import type { Deps } from '../deps.ts';

const Question = z.object({ id: z.string() });

/** Answers the auction: the sealed set of a tender with what it offers. Nobody else asks for it, and nobody keeps it. */
export function sealedBidsOf({ auctions }: Pick<Deps, 'auctions'>): (question: unknown) => Promise<unknown> {
  return async (question) => ({ bids: await auctions.sealedSet(Question.parse(question).id) });
}
