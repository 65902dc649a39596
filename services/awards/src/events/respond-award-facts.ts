import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { awardFacts } from '../domain/awarding.view.ts';

const AwardsRequest = z.object({ id: z.string() });

/** Responds with the awards and contracts of a tender; nothing before the first award. */
export function respondAwardFacts({ awardings }: Pick<Deps, 'awardings'>): (request: unknown) => Promise<unknown> {
  return async (request) => {
    const state = await awardings.find(AwardsRequest.parse(request).id);
    return state.version === 0 ? undefined : awardFacts(state);
  };
}
