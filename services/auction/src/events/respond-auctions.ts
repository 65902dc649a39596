import { z } from 'zod';
import type { Deps } from '../deps.ts';

const AuctionRequest = z.object({ id: z.string(), lot: z.string().optional() });

/** Responds to the bids service with the reported results of an auction; undefined before the report. */
export function respondAuctionResults({ handOff }: Pick<Deps, 'handOff'>): (request: unknown) => Promise<unknown> {
  return async (request) => {
    const { id, lot } = AuctionRequest.parse(request);
    return handOff.results(id, { lot });
  };
}

/** Responds to the bids service with the last published links of the bidders of a tender. */
export function respondAuctionUrls({ handOff }: Pick<Deps, 'handOff'>): (request: unknown) => Promise<unknown> {
  return async (request) => handOff.urls(AuctionRequest.parse(request).id);
}
