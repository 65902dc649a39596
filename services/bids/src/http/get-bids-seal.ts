import { problem } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { REPR_DIGEST_HEADER, reprDigestOf } from '@procurement/kit/http/repr-digest';
import { sendJson } from '@procurement/kit/http/server';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Deps } from '../deps.ts';
import { readDisclosedSeal } from '../store/seals.store.ts';
import { loadTender } from './path.ts';

/** It changes only when a bid is removed by law. */
const CACHE_FOR_A_DAY = 'public, max-age=86400';

/** `GET /tenders/{id}/bids_seal`: the seal and the bids as they were closed, once they are opened (docs/spec/proof.md 5.2). */
export function getBidsSeal(deps: Deps): Handler {
  return async (request, reply) => {
    const tender = await loadTender(deps, request);
    const answer = await readDisclosedSeal(deps.pool, tender.id);
    if (answer === null) throw new ProblemError(problem('bid.seal-not-disclosed'));
    reply.header('cache-control', CACHE_FOR_A_DAY).header(REPR_DIGEST_HEADER, reprDigestOf(answer));
    return sendJson(reply, 200, answer);
  };
}
