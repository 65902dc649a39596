import { clientOf } from '@procurement/kit/http/client';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { SearchDeps } from './deps.ts';
import { BUYERS_PARAMETERS } from './domain/buyers-parameters.ts';
import { invalidParameter } from '../requests/domain/parameters.ts';
import { readQuery, sendJsonAt } from '../requests/read-query.ts';

/** `GET /search/buyers`: procuring entities of listed tenders by name (register.md 6.2). */
export function searchBuyers(deps: SearchDeps): Handler {
  return async (request, reply) => {
    const { q, mode, at_least } = readQuery(request, BUYERS_PARAMETERS);
    if (q === undefined) throw new ProblemError(invalidParameter('q', BUYERS_PARAMETERS.q));
    await deps.freshness.reached(at_least);
    const { position, buyers } = await deps.searches.run(clientOf(request), async () =>
      deps.buyers.find({ folded: q, mode }),
    );
    return sendJsonAt(reply, position, JSON.stringify({ data: buyers }));
  };
}
