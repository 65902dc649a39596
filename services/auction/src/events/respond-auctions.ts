import { z } from 'zod';
import type { Deps } from '../deps.ts';

const AuctionRequest = z.object({ id: z.string(), lot: z.string().optional() });

/** Answers the bids service: what was reported of an auction; nothing while nothing was. */
export function respondAuctionResults({ handOff }: Pick<Deps, 'handOff'>): (question: unknown) => Promise<unknown> {
  return async (question) => {
    const { id, lot } = AuctionRequest.parse(question);
    return handOff.results(id, { lot });
  };
}

/** Answers the bids service: the links of the bidders of a tender, each the last that was published. */
export function respondAuctionUrls({ handOff }: Pick<Deps, 'handOff'>): (question: unknown) => Promise<unknown> {
  return async (question) => handOff.urls(AuctionRequest.parse(question).id);
}
