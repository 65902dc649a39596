import { z } from 'zod';
import type { Deps } from '../deps.ts';

const Question = z.object({ id: z.string(), lot: z.string().optional() });

/** Answers the bids service: what was reported of an auction; nothing while nothing was. */
export function auctionResultsOf({ handOff }: Pick<Deps, 'handOff'>): (question: unknown) => Promise<unknown> {
  return async (question) => {
    const { id, lot } = Question.parse(question);
    return handOff.results(id, { lot });
  };
}

/** Answers the bids service: the links of the bidders of a tender, each the last that was published. */
export function auctionUrlsOf({ handOff }: Pick<Deps, 'handOff'>): (question: unknown) => Promise<unknown> {
  return async (question) => handOff.urls(Question.parse(question).id);
}
